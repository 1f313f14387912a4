"""Attributes: of tensors, modules, instances, classes, libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inplace_lsp.interpret.autograd.ops import tensor_of
from inplace_lsp.interpret.machine import generators
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.python import dispatch, imports, inherited_parts, linked, models
from inplace_lsp.interpret.python.assumed_modules import ASKED_FOR, assume_module, find_parameter, find_part, is_layer
from inplace_lsp.interpret.python.assumed_optimizers import ASKED_OF, assume_optimizer
from inplace_lsp.interpret.state.values import (
    NONE,
    Bound,
    Class,
    Computed,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Mode,
    Module,
    Native,
    Number,
    Optimizer,
    Super,
    Suspended,
    Tensor,
    Unknown,
    UserModule,
    Value,
)
from inplace_lsp.interpret.torch_api import inherited, modes, modules, optimizers, tensor_attributes, tensor_methods
from inplace_lsp.interpret.torch_api.module_tree import MEMBERS, is_module, members
from inplace_lsp.torch_ops.table import find

_STRINGLY = frozenset(
    "split sort index_add copy count index type size to eval train apply double float half cuda cpu repeat add name "
    "names map_ storage step view contains format data dim device min max update put unique values "
    "indices".split()
)
_TENSOR_ONLY = frozenset("grad requires_grad requires_grad_ backward detach detach_ numpy is_leaf grad_fn T mT".split())


def get(machine: Machine, value: Value, name: str, text: str = "") -> Value:
    """`value.name`."""
    how = _GET.get(type(value))
    return how(machine, value, name, text) if how is not None else machine.unknown(text or name)


def put(machine: Machine, value: Value, name: str, item: Value, *, augmented: bool = False) -> None:
    """`value.name = item`."""
    if isinstance(value, Unknown) and (
        value.tensorlike or value.tensor is not None or name in ("data", "requires_grad")
    ):
        value = tensor_of(machine.recorder, value) or value
    if isinstance(value, Tensor):
        tensor_attributes.set_attribute(machine, value, name, item, augmented=augmented)
    elif isinstance(value, Instance):
        setter = value.cls.lookup(f"{name}.setter")
        stands_for = _descriptor(value.cls.lookup(name), "__set__")
        if isinstance(setter, Function):
            machine.call(Bound(value, setter), [item], {})
        elif stands_for is not None:
            machine.call(stands_for, [value, item], {})
        else:
            value.attributes[name] = _named(item, name)
            if isinstance(item, Unknown) and _is_network(machine, value, name, item):
                assume_module(machine, item)
            if isinstance(value.base, Container) and is_module(item):
                value.base.items[name] = item
    elif isinstance(value, Container) and is_module(item):
        value.items[name] = item
    elif isinstance(value, (Module, Container, Optimizer, Unknown)):
        value.attributes[name] = item
    elif isinstance(value, Mapping):
        value.items[name] = item
    elif isinstance(value, Class):
        value.members[name] = item
    elif isinstance(value, UserModule):
        linked.set_attribute(value, name, item)


def _is_network(machine: Machine, owner: Instance, name: str, item: Unknown) -> bool:
    return is_layer(machine, owner, name, item) or inherited_parts.is_asked_for_parameters(machine, owner, name)


def remove(value: Value, name: str) -> None:
    """`del value.name`."""
    if isinstance(value, (Instance, Module, Container, Unknown)):
        value.attributes.pop(name, None)
    if isinstance(value, Container):
        value.items.pop(name, None)


def _named(item: Value, name: str) -> Value:
    """`item` under the name a reader of the class knows it by; a module's parameters are named after the module."""
    if isinstance(item, (Tensor, Module)) and (not item.name or item.name == name):
        item.name = f"self.{name}"
    if isinstance(item, Module):
        for own, tensor in item.attributes.items():
            if isinstance(tensor, Tensor) and tensor.name == own:
                tensor.name = f"{item.name}.{own}"
    return item


def _of_tensor(machine: Machine, value: Tensor, name: str, text: str) -> Value:
    found = tensor_attributes.attribute(machine, value, name)
    return found if found is not None else Bound(value, name)


def _of_library(machine: Machine, value: Library, name: str, text: str) -> Value:
    owner = imports.public_owner(value.name, name)
    full = f"{owner}.{name}"
    found = models.find(machine, full) if owner in machine.described else None
    return found if found is not None else Library(full)


def _of_mode(machine: Machine, value: Mode, name: str, text: str) -> Value:
    """A context manager's own two methods, called by their names."""
    if name == "__enter__":
        return Native(lambda given, named: modes.enter(machine, value), name)
    if name == "__exit__":
        return _leaving(name, lambda: modes.leave(machine, value))
    return machine.unknown(text or name)


def _leaving(name: str, leave: Callable[[], None]) -> Native:
    """Return the method `__exit__` of a context that `leave` leaves; it suppresses no exception."""

    def call(given: list[Value], named: dict[str, Value]) -> Value:
        leave()
        return NONE

    return Native(call, name)


def _of_user_module(machine: Machine, value: UserModule, name: str, text: str) -> Value:
    return linked.attribute(machine, value, name)


def _of_items(machine: Machine, value: Items, name: str, text: str) -> Value:
    if name in value.fields:
        return value.items[value.fields.index(name)]
    member = value.cls.lookup(name) if value.cls is not None else None
    return _bind_member(machine, value, member) if member is not None else Bound(value, name)


def _of_optimizer(machine: Machine, value: Optimizer, name: str, text: str) -> Value:
    held = optimizers.attribute(machine, value, name)
    return held if held is not None else Bound(value, name)


def _of_generator(machine: Machine, value: Suspended, name: str, text: str) -> Value:
    if value.function.kind == "contextmanager":
        return _of_context(machine, value, name, text)
    return get(machine, generators.settled(machine, value), name, text)


def _of_context(machine: Machine, value: Suspended, name: str, text: str) -> Value:
    """The two methods by which a context is entered and left without a `with`."""
    if name == "__enter__":
        return Native(lambda given, named: generators.enter(machine, value), name)
    if name == "__exit__":
        return _leaving(name, lambda: generators.leave(machine, value))
    return machine.unknown(text or name)


def _of_number(machine: Machine, value: Number, name: str, text: str) -> Value:
    return Number() if name in ("real", "imag") else machine.unknown(text or name)


def _of_function(machine: Machine, value: Function, name: str, text: str) -> Value:
    if name == "register" and value.dispatch is not None:
        return dispatch.make_register(machine, value.dispatch)
    return Bound(value, name)


def _of_mapping(machine: Machine, value: Mapping, name: str, text: str) -> Value:
    """A method, or the entry of that name: a dict that has such an attribute is one of settings."""
    return value.items[name] if name in value.items and not hasattr(dict, name) else Bound(value, name)


def _bound(machine: Machine, value: Value, name: str, text: str) -> Value:
    return Bound(value, name)


def _of_unknown(machine: Machine, value: Unknown, name: str, text: str) -> Value:
    if name in value.attributes:
        return value.attributes[name]
    parameter = find_parameter(machine, value, name)
    if parameter is not None:
        return parameter
    if name in ASKED_OF and value.module is None and value.given and assume_optimizer(machine, value):
        return value.attributes[name]
    if name in ASKED_FOR:
        assume_module(machine, value)
    if value.module is not None:
        if modules.has_method(value.module, name):
            return get(machine, value.module, name, text)
        value.attributes[name] = find_part(machine, value, name)
        return value.attributes[name]
    if _is_tensor_member(value, name):
        tensor = tensor_of(machine.recorder, value)
        if tensor is not None:
            return get(machine, tensor, name, text)
    found = machine.unknown(f"{value.origin}.{name}", [value])
    found.graphless, found.flows, found.part = name == "data" or value.graphless, value.flows, True
    found.library = f"{value.library}.{name}" if value.library else ""
    value.attributes[name] = found
    return found


def _is_tensor_member(value: Unknown, name: str) -> bool:
    """Whether `value.name` says that `value` is a tensor: it is one elsewhere, or only tensors have such a member."""
    known = value.tensorlike or value.tensor is not None
    member = bool(find(f"torch.Tensor.{name}")) or tensor_methods.is_member(name)
    return (member and (known or name not in _STRINGLY)) or name in _TENSOR_ONLY


def _of_instance(machine: Machine, value: Instance, name: str, text: str) -> Value:
    if name in value.attributes:
        return _read(value.attributes[name])
    member = value.cls.lookup(name)
    if member is not None:
        return _bind_member(machine, value, member)
    if name == "__class__":
        return value.cls
    if name == "training" and value.cls.is_module():
        value.attributes[name] = Known(True)
        return value.attributes[name]
    if name == "__dict__":
        return Mapping(value.attributes, open=True)
    if name in MEMBERS and value.cls.is_module():
        return Mapping(members(value, name))
    if (value.cls.is_module() or value.cls.library) and _is_method_of_module(value, name):
        return Bound(value, name)
    if value.base is not None:
        return get(machine, value.base, name, text)
    found = ask_class(machine, value, name)
    return found if found is not None else _lazy(machine, value, name, text)


def ask_class(machine: Machine, value: Instance, name: str) -> Value | None:
    """What the class's own `__getattr__` says of a name that nothing in sight sets; None if it raises."""
    fallback = value.cls.lookup("__getattr__")
    if not isinstance(fallback, Function):
        return None
    try:
        return machine.call(Bound(value, fallback), [Known(name)], {})
    except Raised:
        return None


def _read(attribute: Value) -> Value:
    found: Value = attribute.compute() if isinstance(attribute, Computed) else attribute
    return found


def _lazy(machine: Machine, value: Instance, name: str, text: str) -> Value:
    """An attribute nothing in sight sets: the same unknown each time."""
    value.attributes[name] = machine.unknown(text or f"{value.name or 'self'}.{name}")
    if value.cls.unknown_base():
        inherited_parts.recognise(machine, value, name)
    return value.attributes[name]


def _descriptor(member: Value | None, name: str) -> Bound | None:
    """The method of a descriptor that stands in a class for the attribute of its objects."""
    method = member.cls.lookup(name) if isinstance(member, Instance) else None
    return Bound(member, method) if isinstance(member, Instance) and isinstance(method, Function) else None


def _bind_member(machine: Machine, value: Value, member: Value) -> Value:
    if not isinstance(member, Function):
        getter = _descriptor(member, "__get__")
        return machine.call(getter, [value, Unknown("a class")], {}) if getter is not None else member
    if member.kind in ("property", "cached_property"):
        found = machine.call(Bound(value, member), [], {})
        if member.kind == "cached_property" and isinstance(value, Instance):
            value.attributes[member.name] = found
        return found
    if member.kind == "staticmethod":
        return member
    if member.kind == "classmethod":
        return Bound(value.cls if isinstance(value, Instance) else value, member)
    return Bound(value, member)


def _is_method_of_module(value: Value, name: str) -> bool:
    """Whether modules have that method, of an object that is no optimizer: it concerns all that the object holds."""
    return not (isinstance(value, Instance) and isinstance(value.base, Optimizer)) and modules.has_method(value, name)


def _of_module(machine: Machine, value: Module | Container, name: str, text: str) -> Value:
    if name in value.attributes:
        return _read(value.attributes[name])
    if isinstance(value, Container) and name in value.items:
        return value.items[name]
    if name == "training":
        return Known(True)
    if name in MEMBERS:
        return Mapping(members(value, name))
    if modules.has_method(value, name):
        return Bound(value, name)
    if isinstance(value, Module) and name in value.arguments:
        return value.arguments[name]
    inside = {own[len(name) + 1 :]: one for own, one in value.attributes.items() if own.startswith(f"{name}.")}
    if inside:  # `layer.linear1` of a layer of torch's that is made of others
        return Container("part", {}, inside)
    found = machine.unknown(text or name)
    value.attributes[name] = found
    return found


def _of_class(machine: Machine, value: Class, name: str, text: str) -> Value:
    member = value.lookup(name)
    if member is not None:
        return Bound(value, member) if isinstance(member, Function) and member.kind == "classmethod" else member
    if name == "apply" and any(base.endswith("Function") for c in value.lineage() for base in c.library):
        return Bound(value, "apply")
    return Known(value.name) if name == "__name__" else machine.unknown(text or name)


def _of_super(machine: Machine, value: Super, name: str, text: str) -> Value:
    lineage = value.self.cls.lineage() if isinstance(value.self, Instance) else value.cls.lineage()
    after = lineage[lineage.index(value.cls) + 1 :] if value.cls in lineage else value.cls.lineage()[1:]
    for cls in after:
        if name in cls.members:
            return _bind_member(machine, value.self, cls.members[name])
    if name == "__init__" and isinstance(value.self, Instance):
        instance = value.self
        return Native(lambda given, named: inherited.initialise(machine, instance, given, named), name)
    if name == "__getattr__":
        return Native(_no_such_attribute, name)
    if _is_method_of_module(value.self, name):
        return Bound(value.self, name)
    if isinstance(value.self, Instance) and value.self.base is not None:
        return get(machine, value.self.base, name)
    return machine.unknown(f"super().{name}")


def _no_such_attribute(arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """`super().__getattr__(name)`: a module's own members are found before it is asked."""
    raise Raised("AttributeError")


_GET: dict[type, Callable[[Machine, Any, str, str], Value]] = {
    Unknown: _of_unknown,
    Tensor: _of_tensor,
    Library: _of_library,
    UserModule: _of_user_module,
    Instance: _of_instance,
    Module: _of_module,
    Container: _of_module,
    Class: _of_class,
    Super: _of_super,
    Mode: _of_mode,
    Items: _of_items,
    Optimizer: _of_optimizer,
    Suspended: _of_generator,
    Mapping: _of_mapping,
    Known: _bound,
    Function: _of_function,
    Native: _bound,
    Number: _of_number,
}
"""Where each kind of value has its attributes."""
