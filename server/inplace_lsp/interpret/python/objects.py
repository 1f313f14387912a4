"""Model builtins about objects: their attributes, their class, whether they can be called."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from functools import lru_cache

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import attributes, instances
from inplace_lsp.interpret.python.assumed_modules import find_unnamed_part, hold_unnamed_part
from inplace_lsp.interpret.python.classes import find_class, find_python_class, is_instance_of
from inplace_lsp.interpret.state.values import (
    NONE,
    Bound,
    Class,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Module,
    Native,
    Number,
    Super,
    Tensor,
    Unknown,
    Value,
    is_given,
)
from inplace_lsp.interpret.torch_api import modules
from inplace_lsp.interpret.torch_api.module_tree import MEMBERS, is_module
from inplace_lsp.source import ir
from inplace_lsp.torch_ops.table import find_overloads


@intrinsic("builtins.isinstance(obj, class_or_tuple, /)")
def _call_isinstance(machine: Machine, obj: Value, class_or_tuple: Value) -> Value:
    kinds = class_or_tuple.items if isinstance(class_or_tuple, Items) else [class_or_tuple]
    answers = [is_instance_of(obj, kind) for kind in kinds]
    if True in answers:
        return Known(True)
    return _ask_class(machine, obj, kinds) if None in answers else Known(False)


def _ask_class(machine: Machine, value: Value, kinds: Sequence[Value]) -> Value:
    """Return whether an unknown is an instance of one of the classes: what is known of it, or an open question."""
    classes = tuple(find_python_class(kind) or _name_class(kind) for kind in kinds)
    if not isinstance(value, (Unknown, Number)) or None in classes:
        return Number()
    return machine.ask_about(value, "isinstance", classes)


def _name_class(kind: Value) -> str | None:
    """Return what a class is known by."""
    if isinstance(kind, Library):
        return kind.name
    return f"{kind.name} {id(kind)}" if isinstance(kind, Class) else None


@intrinsic("builtins.issubclass(cls, class_or_tuple, /)")
def _call_issubclass(machine: Machine, cls: Value, class_or_tuple: Value) -> Value:
    kinds = class_or_tuple.items if isinstance(class_or_tuple, Items) else [class_or_tuple]
    if not isinstance(cls, Class) or not all(isinstance(kind, Class) for kind in kinds):
        return Number()
    return Known(any(kind in cls.list_lineage() for kind in kinds))


@intrinsic(
    "builtins.type(object, bases=..., dict=..., /, **kwds)",
    dict="a class that is made by a call is not known",
    kwds="a class that is made by a call is not known",
)
def _call_type(machine: Machine, object: Value, bases: Value, text: str) -> Value:
    found = find_class(object) if not is_given(bases) else None
    if found is None and isinstance(object, Unknown):
        return machine.get_attribute(object, "__class__", text)
    return found if found is not None else machine.make_unknown(text)


@intrinsic("builtins.object()")
def _make_object(machine: Machine) -> Value:
    return Instance(Class("object", (), (), {}))


_OF_INIT = "the object has them from its `__init__`"


@intrinsic("builtins.object.__new__(cls, /, *args, **kwargs)", args=_OF_INIT, kwargs=_OF_INIT)
def _make_bare_object(machine: Machine, cls: Value) -> Value:
    return instances.make_bare(machine, [cls], {})


@intrinsic("builtins.type.__call__(self, /, *args, **kwargs)")
def _call_class(machine: Machine, self: Value, args: Items, kwargs: Mapping, text: str) -> Value:
    if not isinstance(self, Class):
        return machine.call(self, args.items, dict(kwargs.items), text)
    return instances.make_plainly(machine, self, args.items, dict(kwargs.items), text)


@intrinsic("builtins.super(type=..., object=..., /)")
def _make_super(machine: Machine, type: Value, object: Value, text: str) -> Value:
    frame = machine.stack[-1] if machine.stack else None
    if isinstance(type, Class) and is_given(object):
        return Super(object, type)
    if frame is not None and frame.owner is not None and frame.self is not None:
        return Super(frame.self, frame.owner)
    return machine.make_unknown(text or "super()")


@intrinsic("builtins.getattr(object, name, default=..., /)")
def _call_getattr(machine: Machine, object: Value, name: Value, default: Value, text: str) -> Value:
    attribute = machine.decide_text(name)
    if attribute is None:
        return find_unnamed_part(object) or machine.make_unknown(text)
    if (
        is_given(default)
        and _finds_attribute(machine, object, attribute) is False
        and not _may_be_assigned(machine, object, attribute)
    ):
        return default
    return machine.get_attribute(object, attribute, text)


def _may_be_assigned(machine: Machine, owner: Value, attribute: str) -> bool:
    """Return whether a method of the object's class assigns the attribute: it may have run before."""
    return isinstance(owner, Instance) and any(machine.read_classes(owner.cls, _is_assigned, attribute))


def _is_assigned(definition: ir.ClassDef, name: str) -> bool:
    return name in _find_assigned_attributes(definition)


@lru_cache(maxsize=1024)
def _find_assigned_attributes(definition: ir.ClassDef) -> frozenset[str]:
    """Return the names of all attributes that the methods of a class assign."""
    assignments = (node for node in ir.walk_nodes(definition.body) if isinstance(node, ir.Assign))
    targets = (target for node in assignments for target in node.targets)
    return frozenset(target.name for target in targets if isinstance(target, ir.Attribute))


@intrinsic("builtins.setattr(obj, name, value, /)")
def _call_setattr(machine: Machine, obj: Value, name: Value, value: Value) -> Value:
    if isinstance(name, Known) and isinstance(name.value, str):
        machine.set_attribute(obj, name.value, value)
    elif isinstance(obj, Instance) and is_module(obj) and _is_part(value):
        hold_unnamed_part(machine, obj)
    return NONE


def _is_part(value: Value) -> bool:
    return is_module(value) or (isinstance(value, Unknown) and value.module is not None)


@intrinsic("builtins.object.__setattr__(self, name, value, /)", "torch.nn.Module.__setattr__(self, name, value, /)")
def _assign_plainly(machine: Machine, self: Value, name: Value, value: Value) -> Value:
    """Set an attribute without asking the object's own class."""
    if isinstance(self, Instance) and isinstance(name, Known) and isinstance(name.value, str):
        attributes.assign_plainly(machine, self, name.value, value)
    return NONE


@intrinsic("builtins.delattr(obj, name, /)")
def _call_delattr(machine: Machine, obj: Value, name: Value) -> Value:
    if isinstance(name, Known) and isinstance(name.value, str):
        attributes.delete_attribute(machine, obj, name.value)
    return NONE


@intrinsic("builtins.hasattr(obj, name, /)")
def _call_hasattr(machine: Machine, obj: Value, name: Value) -> Value:
    has = (
        _finds_attribute(machine, obj, name.value) if isinstance(name, Known) and isinstance(name.value, str) else None
    )
    if has is None and isinstance(obj, Class):
        return Number(negates=Number())  # probably not yet: a singleton keeps its object there
    if has is not None:
        return Known(has)
    if not isinstance(name, Known):
        return Number()
    if isinstance(obj, (Unknown, Number)):
        return machine.ask_about(obj, "hasattr", name.value)
    return machine.find_answer(("hasattr", id(obj), name.value), obj)


def _finds_attribute(machine: Machine, owner: Value, name: str) -> bool | None:
    """Return whether the object has the attribute, its class's `__getattr__` included; None if that is not known."""
    has = has_attribute(owner, name)
    if has is not None or not isinstance(owner, Instance) or owner.cls.look_up("__getattr__") is None:
        return has
    found = attributes.call_getattr(machine, owner, name)
    return False if found is None else None if isinstance(found, Unknown) else True


def has_attribute(owner: Value, name: str) -> bool | None:
    """Return whether the object has the attribute; None if that is not known."""
    if isinstance(owner, Instance):
        return _instance_has(owner, name)
    if isinstance(owner, Unknown):
        return True if name in owner.attributes else None
    if isinstance(owner, (Module, Container)):
        return True if name in owner.attributes or (isinstance(owner, Container) and name in owner.items) else None
    if isinstance(owner, Known):
        return hasattr(owner.value, name)
    if isinstance(owner, (Items, Mapping)):
        return _container_has(owner, name)
    if isinstance(owner, Class):
        return True if owner.look_up(name) is not None else None
    return True if isinstance(owner, Tensor) and find_overloads(f"torch.Tensor.{name}") else None


_NAMED_TUPLE = namedtuple("_NAMED_TUPLE", ())
"""A class of tuples with named elements, for what all of them have."""


def _container_has(owner: Items | Mapping, name: str) -> bool | None:
    if isinstance(owner, Items) and (owner.cls is not None or owner.fields):
        own = name in owner.fields or (owner.cls is not None and owner.cls.look_up(name) is not None)
        return True if own or hasattr(_NAMED_TUPLE, name) else None
    python = find_python_class(find_class(owner))
    return hasattr(python, name) if python is not None else None


def _instance_has(owner: Instance, name: str) -> bool | None:
    if name in owner.attributes or owner.cls.look_up(name) is not None or name in ("__class__", "__dict__"):
        return True
    if owner.cls.is_module() and _modules_have(owner, name):
        return True
    if owner.base is not None:
        return has_attribute(owner.base, name) or None
    return None if owner.cls.has_unknown_base() or owner.cls.look_up("__getattr__") is not None else False


def _modules_have(owner: Instance, name: str) -> bool:
    return name == "training" or name in MEMBERS or modules.has_method(owner, name)


@intrinsic("builtins.vars(object=..., /)")
def _call_vars(machine: Machine, object: Value, text: str) -> Value:
    return machine.get_attribute(object, "__dict__", text) if is_given(object) else machine.make_unknown(text)


@intrinsic("builtins.callable(obj, /)")
def _is_callable(machine: Machine, obj: Value) -> Value:
    if isinstance(obj, (Function, Class, Native, Bound, Module)):
        return Known(True)
    if isinstance(obj, Library):
        return machine.find_answer(("callable", obj.name))
    if isinstance(obj, Unknown):
        return machine.ask_about(obj, "callable", None)
    return Known(False) if isinstance(obj, (Known, Items, Mapping, Tensor)) else Number()


@intrinsic("builtins.id(obj, /)")
def _make_id(machine: Machine, obj: Value) -> Value:
    """Return a number that tells the object from others."""
    return Known(id(obj)) if isinstance(obj, (Tensor, Module, Container, Instance, Function)) else Number()


@intrinsic("builtins.hash(obj, /)", obj="any number is as good")
def _make_hash(machine: Machine) -> Value:
    return Number()


@intrinsic("builtins.staticmethod(function, /)")
def _make_static_method(machine: Machine, function: Value) -> Value:
    return _set_kind(function, "staticmethod")


@intrinsic("builtins.classmethod(function, /)")
def _make_class_method(machine: Machine, function: Value) -> Value:
    return _set_kind(function, "classmethod")


@intrinsic(
    "builtins.property(fget=None, fset=None, fdel=None, doc=None)",
    fset="only what a property gives is followed where it is made by a call",
    fdel="only what a property gives is followed where it is made by a call",
    doc="it is for readers",
)
def _make_property(machine: Machine, fget: Value) -> Value:
    return _set_kind(fget, "property")


def _set_kind(function: Value, kind: str) -> Value:
    if isinstance(function, Function):
        function.kind = kind
    return function
