"""What an object of a user's class is because of a class of torch that it inherits from: a module, an optimizer."""

from __future__ import annotations

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.signatures import OpenArguments, OpenKeywords
from inplace_lsp.interpret.state.values import NONE, Container, Instance, Module, Optimizer, Unknown, Value
from inplace_lsp.interpret.torch_api import modules, optimizers


def initialise(machine: Machine, instance: Instance, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """The `__init__` of the nearest base that is torch's, run on `instance`."""
    if instance.base is not None:
        return NONE
    for name in (n for c in instance.cls.lineage() for n in c.library):
        made = _construct(machine, name, arguments, keywords)
        if isinstance(made, Unknown):  # whatever it is made with, it is such a module or optimizer
            made = _construct(machine, name, OpenArguments(), OpenKeywords())
        if isinstance(made, Optimizer):
            instance.base = made
            return NONE
        if isinstance(made, (Module, Container)):
            instance.base = made
            instance.attributes.update(made.attributes)
            made.attributes = instance.attributes
            return NONE
    return NONE


def _construct(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value]) -> Value | None:
    """Return what the class of torch makes, an unknown value if the arguments do not fit; None of any other class."""
    if optimizers.is_optimizer(name):
        return optimizers.construct(machine, name, arguments, keywords)
    return modules.construct(machine, name, arguments, keywords)
