"""What an object inherits from a torch class among its bases: a module or an optimizer."""

from __future__ import annotations

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.signatures import OpenArguments, OpenKeywords
from inplace_lsp.interpret.state.values import NONE, Container, Instance, Module, Optimizer, Unknown, Value
from inplace_lsp.interpret.torch_api import modules, optimizers


def initialise_base(machine: Machine, instance: Instance, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """Run the `__init__` of the nearest base class of torch on `instance`."""
    if instance.base is not None:
        return NONE
    for name in (n for c in instance.cls.list_lineage() for n in c.library):
        made = _construct_base(machine, name, arguments, keywords)
        if isinstance(made, Unknown):  # whatever it is made with, it is such a module or optimizer
            made = _construct_base(machine, name, OpenArguments(), OpenKeywords())
        if isinstance(made, Optimizer):
            instance.base = made
            return NONE
        if isinstance(made, (Module, Container)):
            instance.base = made
            instance.attributes.update(made.attributes)
            made.attributes = instance.attributes
            return NONE
    return NONE


def _construct_base(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value]) -> Value | None:
    """Construct the torch class: an unknown value if the arguments do not fit, None for any other class."""
    if optimizers.is_optimizer(name):
        return optimizers.construct_by_name(machine, name, arguments, keywords)
    return modules.construct_module(machine, name, arguments, keywords)
