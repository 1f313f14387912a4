"""Make modules of which only their parameters are known: arguments, and what factories and registries return."""

from __future__ import annotations

from functools import lru_cache

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import models
from inplace_lsp.interpret.state.values import Instance, Library, Module, Tensor, Unknown, Value
from inplace_lsp.interpret.torch_api import modules
from inplace_lsp.source import ir
from inplace_lsp.tape.model import NEVER, When
from inplace_lsp.tape.names import split_words
from inplace_lsp.torch_ops.table import find_module

ASKED_FOR = frozenset(("parameters", "named_parameters"))
"""Methods that make an unknown value a module when they are read from it."""

_STANDS_IN = "inplace_lsp.opaque_modules.OpaqueModule"


def assume_module(machine: Machine, value: Unknown) -> Value | None:
    """Return the module that stands for an unknown value, None if no model describes such a module. That its layers
    save their weights is an assumption."""
    if value.module is None:
        cls = models.find_in_model(machine, _STANDS_IN)
        made = machine.call(cls, [], {}) if cls is not None else None
        if isinstance(made, Instance):
            made.attributes["weights"] = _make_weights(machine, f"a layer of {value.origin}")
            value.module = made
    return value.module


def hold_unnamed_part(machine: Machine, owner: Instance) -> None:
    """Let a module hold a submodule under a name that is not known, as `setattr(self, f"scale{i}", layer)` does where
    `i` is not: one part stands for all of them."""
    if _UNNAMED not in owner.attributes:
        part = machine.make_unknown(f"a part of {owner.cls.name}")
        assume_module(machine, part)
        owner.attributes[_UNNAMED] = part


def find_unnamed_part(owner: Value) -> Value | None:
    """Return the part of a module that `getattr` finds under a name that is not known, None if there is none."""
    return owner.attributes.get(_UNNAMED) if isinstance(owner, Instance) else None


_UNNAMED = "<a name that is not known>"


def assume_class(machine: Machine, kind: Value, name: str) -> Value | None:
    """Return an instance of a torch class that the code says a value is an instance of: a layer with its parameters, or
    a parameter.

    Return None for other classes. Messages call the instance `name`.
    """
    if not isinstance(kind, Library):
        return None
    op = find_module(kind.name)
    if kind.name not in _PARAMETER and (op is None or not op.parameters):
        return None
    machine.gradient_evidence = True
    if op is None:
        return _make_weights(machine, name)
    attributes: dict[str, Value] = {held: _make_weights(machine, f"{name}.{held}") for held, _ in op.parameters}
    attributes |= {held: machine.recorder.new_tensor("buffer", name=held) for held, _ in op.buffers}
    return Module(op, modules.find_defaults(op), attributes, machine.recorder.site)


_PARAMETER = frozenset(("torch.nn.Parameter", "torch.nn.parameter.Parameter"))


def _make_weights(machine: Machine, name: str) -> Tensor:
    """Return a parameter that no code in sight creates: that it requires grad is an assumption."""
    weights = machine.recorder.new_tensor("Parameter", name=name, requires_grad=When(inputs=frozenset({name})))
    weights.parameter = True
    return weights


def is_layer(machine: Machine, owner: Instance, name: str, value: Unknown) -> bool:
    """Return whether a new attribute of a module is a layer: a call returned it and the module's methods call it."""
    made = value.callee is not None or value.library.endswith("()")
    return made and owner.cls.is_module() and any(machine.read_classes(owner.cls, _is_called, name))


def _is_called(definition: ir.ClassDef, name: str) -> bool:
    return name in _find_called_attributes(definition)


@lru_cache(maxsize=1024)
def _find_called_attributes(definition: ir.ClassDef) -> frozenset[str]:
    """Return the attributes that the methods of a class call, on any object (`self.layer(x)`)."""
    calls = (node.function for node in ir.walk_nodes(definition.body) if isinstance(node, ir.Call))
    return frozenset(function.name for function in calls if isinstance(function, ir.Attribute))


def find_parameter(machine: Machine, value: Unknown, name: str) -> Tensor | None:
    """Return the parameter that an unknown value has under `name`, None if it has none.

    It has one if the running function assigns an `nn.Parameter` to that attribute, or if it is a layer and layers call
    a parameter so.
    """
    if not _is_assigned_parameter(machine, name) and not (name in _OF_LAYERS and _may_be_layer(value)):
        return None
    parameter = _make_weights(machine, f"{value.origin}.{name}")
    if _is_frozen(value.module):
        parameter.requires_grad = NEVER
    machine.gradient_evidence = True
    value.attributes[name] = parameter
    return parameter


def _is_assigned_parameter(machine: Machine, name: str) -> bool:
    running = machine.stack[-1].running if machine.stack else None
    return running is not None and name in _find_assigned_parameters(running.definition)


_OF_LAYERS = frozenset(("weight", "bias"))
"""What layers call their parameters, and few other objects have."""
_LAYERS = frozenset(
    "conv deconv linear lin fc dense proj projection embed embedding embeddings norm bn ln stem head classifier layer "
    "block stage wte wpe".split()
)
"""Words by which programs call layers."""
_NO_LAYERS = frozenset("loss losses criterion criterions metric sampler".split())
"""Words for modules whose weights are not trained."""


def _may_be_layer(value: Unknown) -> bool:
    """Return whether an unknown value is a layer: one that is called as a module, or that has the name of one."""
    if value.tensorlike or value.tensor is not None or value.inputs or value.graphless:
        return False
    words = _find_words_of_name(value.origin)
    return words.isdisjoint(_NO_LAYERS) and (value.module is not None or not words.isdisjoint(_LAYERS))


def _is_frozen(module: Value | None) -> bool:
    """Return whether the program has switched off the gradients of all that is known of a module."""
    held = module.attributes.values() if isinstance(module, Instance) else ()
    parameters = [each for each in held if isinstance(each, Tensor) and each.parameter]
    return bool(parameters) and not any(each.requires_grad for each in parameters)


@lru_cache(maxsize=4096)
def _find_words_of_name(origin: str) -> frozenset[str]:
    """Return the words of the last name in `model.conv1` or of the class in `Conv(...)`, without numbers."""
    named = origin.partition("(")[0] if origin.endswith(")") else origin
    name = named.rpartition(".")[2].partition("[")[0]
    return frozenset(word.lower().rstrip("0123456789") for word in split_words(name))


@lru_cache(maxsize=1024)
def _find_assigned_parameters(definition: ir.FunctionDef | ir.Lambda) -> frozenset[str]:
    """Return the names of the attributes to which a function assigns parameters."""
    assigned = (
        node for node in ir.walk_nodes(definition.body) if isinstance(node, ir.Assign) and _is_parameter(node.value)
    )
    return frozenset(target.name for node in assigned for target in node.targets if isinstance(target, ir.Attribute))


def _is_parameter(node: ir.Expr) -> bool:
    """Return whether an expression makes a parameter, by the name of its callee."""
    function = node.function if isinstance(node, ir.Call) else None
    return (isinstance(function, ir.Attribute) and function.name == "Parameter") or (
        isinstance(function, ir.Name) and function.id == "Parameter"
    )


def find_part(machine: Machine, value: Unknown, name: str) -> Unknown:
    """Return the attribute of an assumed module that modules in general do not have: a submodule, or a method that runs
    its layers."""
    part = machine.make_unknown(f"{value.origin}.{name}")
    part.module = value.module
    return part
