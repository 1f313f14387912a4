"""Modules of which nothing is known but that they have parameters: an argument, what a factory or a registry made."""

from __future__ import annotations

from functools import lru_cache

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import models
from inplace_lsp.interpret.state.values import Instance, Library, Module, Tensor, Unknown, Value
from inplace_lsp.interpret.torch_api import modules
from inplace_lsp.source import ir
from inplace_lsp.tape.model import When
from inplace_lsp.torch_ops.table import find_module

ASKED_FOR = frozenset(("parameters", "named_parameters"))
"""Methods by whose names an unknown value is known to be a module."""

_STANDS_IN = "inplace_lsp.opaque_modules.OpaqueModule"


def assume_module(machine: Machine, value: Unknown) -> Value | None:
    """Return the module that stands for an unknown: that its layers keep their weights is an assumption. None if no
    model says what such a module does."""
    if value.module is None:
        cls = models.find(machine, _STANDS_IN)
        made = machine.call(cls, [], {}) if cls is not None else None
        if isinstance(made, Instance):
            made.attributes["weights"] = _make_weights(machine, f"a layer of {value.origin}")
            value.module = made
    return value.module


def assume_class(machine: Machine, kind: Value, name: str) -> Value | None:
    """Return what a value that the code takes for a `kind` is then, if that is a class of torch's: a layer with all
    that it may hold, or a parameter. None for other classes. `name` is what messages call it."""
    if not isinstance(kind, Library):
        return None
    op = find_module(kind.name)
    if kind.name not in _PARAMETER and (op is None or not op.parameters):
        return None
    machine.gradient_evidence = True
    if op is None:
        return _make_weights(machine, name)
    attributes: dict[str, Value] = {held: _make_weights(machine, f"{name}.{held}") for held, _ in op.parameters}
    attributes |= {held: machine.recorder.fresh("buffer", name=held) for held, _ in op.buffers}
    return Module(op, modules.find_defaults(op), attributes, machine.recorder.site)


_PARAMETER = frozenset(("torch.nn.Parameter", "torch.nn.parameter.Parameter"))


def _make_weights(machine: Machine, name: str) -> Tensor:
    """Return a parameter that nobody in sight has made: that it requires grad is an assumption."""
    weights = machine.recorder.fresh("Parameter", name=name, requires_grad=When(inputs=frozenset({name})))
    weights.parameter = True
    return weights


def is_layer(machine: Machine, owner: Instance, name: str, value: Unknown) -> bool:
    """Whether a module's new attribute is taken for a layer: something that a call made and that its methods call."""
    made = value.callee is not None or value.library.endswith("()")
    return made and owner.cls.is_module() and any(machine.read_classes(owner.cls, _is_called, name))


def _is_called(definition: ir.ClassDef, name: str) -> bool:
    return name in _called_in(definition)


@lru_cache(maxsize=1024)
def _called_in(definition: ir.ClassDef) -> frozenset[str]:
    """Return the names of the attributes of any object that the methods of a class call (`self.layer(x)`)."""
    calls = (node.function for node in ir.walk(definition.body) if isinstance(node, ir.Call))
    return frozenset(function.name for function in calls if isinstance(function, ir.Attribute))


def find_parameter(machine: Machine, value: Unknown, name: str) -> Tensor | None:
    """Return the parameter that an unknown has under a name to which the function that runs assigns an `nn.Parameter`:
    what it replaces is one, too. None if it assigns none."""
    running = machine.stack[-1].running if machine.stack else None
    if running is None or name not in _find_assigned_parameters(running.definition):
        return None
    parameter = _make_weights(machine, f"{value.origin}.{name}")
    value.attributes[name] = parameter
    return parameter


@lru_cache(maxsize=1024)
def _find_assigned_parameters(definition: ir.FunctionDef | ir.Lambda) -> frozenset[str]:
    """Return the names of the attributes to which a function assigns parameters."""
    assigned = (node for node in ir.walk(definition.body) if isinstance(node, ir.Assign) and _is_parameter(node.value))
    return frozenset(target.name for node in assigned for target in node.targets if isinstance(target, ir.Attribute))


def _is_parameter(node: ir.Expr) -> bool:
    """Whether an expression makes a parameter, by the name of what it calls."""
    function = node.function if isinstance(node, ir.Call) else None
    return (isinstance(function, ir.Attribute) and function.name == "Parameter") or (
        isinstance(function, ir.Name) and function.id == "Parameter"
    )


def find_part(machine: Machine, value: Unknown, name: str) -> Unknown:
    """Return what an assumed module has under a name that modules in general do not have: a part of it, or a method
    that runs its layers."""
    part = machine.unknown(f"{value.origin}.{name}")
    part.module = value.module
    return part
