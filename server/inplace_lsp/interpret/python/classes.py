"""Find the class of a value, as far as it is known."""

from __future__ import annotations

import builtins
import collections
import collections.abc
import numbers
import types
from functools import lru_cache

from inplace_lsp.interpret.state.values import (
    Class,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapped,
    Mapping,
    Module,
    Number,
    Optimizer,
    Suspended,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.torch_ops.table import find_module

_MODULES = {
    "builtins": builtins,
    "collections": collections,
    "collections.abc": collections.abc,
    "typing": collections.abc,
    "numbers": numbers,
    "types": types,
}
_KINDS: dict[str, str] = {
    **{kind: f"builtins.{kind}" for kind in ("list", "tuple", "set", "frozenset")},
    "deque": "collections.deque",
    "generator": "collections.abc.Generator",
    "iterator": "collections.abc.Iterator",
}
_BASES = frozenset(("object", "abc.ABC", "typing.Generic"))
_NUMBERS = (int, float, bool, complex)
_PLAIN = (int, float, str, bool, bytes, complex)


@lru_cache(maxsize=1024)
def _find_class(name: str) -> type | None:
    module, _, short = name.rpartition(".")
    found = getattr(_MODULES.get(module), short, None)
    return found if isinstance(found, type) else None


def find_python_class(value: Value | None) -> type | None:
    """Return the Python class that the value stands for, None if it is none."""
    return _find_class(value.name) if isinstance(value, Library) else None


def find_class(value: Value) -> Value | None:
    """Return `type(value)`, None if it is not known."""
    match value:
        case Instance():
            return value.cls
        case Items():
            return value.cls or _find_class_of_items(value)
        case Mapping():
            return Library("builtins.dict") if value.default is None else None
        case Known():
            kind = "types.NoneType" if value.value is None else f"builtins.{type(value.value).__name__}"
            return Library(kind) if _find_class(kind) is not None else None
        case Tensor():
            return _find_class_of_tensor(value)
        case Module():
            return Library(value.op.name)
        case Container():
            return Library(f"torch.nn.{value.kind}")
        case _:
            return None


def _find_class_of_tensor(value: Tensor) -> Value | None:
    if value.array:
        return Library("numpy.ndarray") if value.shape else None
    if value.assumed:
        return None
    return Library("torch.nn.Parameter" if value.parameter else "torch.Tensor")


def _find_class_of_items(value: Items) -> Library | None:
    return Library(_KINDS[value.kind]) if value.kind in _KINDS and not value.fields else None


def is_instance_of(value: Value, kind: Value) -> bool | None:
    """Return whether `value` is an instance of `kind`, None if that is not known."""
    if isinstance(value, Unknown):
        return _is_unknown_instance_of(value, kind)
    if isinstance(kind, Class):
        own = value.cls if isinstance(value, (Instance, Items)) else None
        return own is not None and kind in own.list_lineage()
    if not isinstance(kind, Library):
        return None
    return True if kind.name == "builtins.object" else _is_library_instance(value, kind.name)


def _is_library_instance(value: Value, name: str) -> bool | None:
    """Return whether `value` is an instance of the library class `name`, None if that is not known."""
    match value:
        case Tensor(array=True):
            return (True if value.shape else None) if name == "numpy.ndarray" else False
        case Tensor():
            return name == "torch.Tensor" or (name.endswith("Parameter") and value.parameter)
        case Module():
            return _is_module_of(value, name)
        case Container():
            return name in (f"torch.nn.{value.kind}", "torch.nn.Module")
        case Optimizer():
            return name in (f"torch.optim.{value.name}", "torch.optim.Optimizer")
        case Instance():
            return _inherits_from(value.cls, name)
        case Number():
            return _is_number_instance_of(name)
        case _:
            return _is_plain_instance_of(value, name)


def _is_number_instance_of(name: str) -> bool | None:
    """Return False if a number is no instance of the library class `name`, None if it may be one."""
    wanted = _find_class(name)
    if wanted is None:
        return False if name.startswith("torch.") else None
    return None if any(issubclass(number, wanted) for number in _NUMBERS) else False


def _inherits_from(cls: Class, name: str) -> bool:
    """Return whether a user's class inherits from the library class `name`."""
    if name == "torch.nn.Module" and cls.is_module():
        return True
    return any(name in ancestor.library for ancestor in cls.list_lineage())


def _is_unknown_instance_of(value: Unknown, kind: Value) -> bool | None:
    if isinstance(kind, Library) and kind.name == "torch.Tensor" and (value.tensorlike or value.tensor is not None):
        return True
    is_tensor = value.tensor is not None and holds_no_tensor(kind)
    return False if is_tensor or (value.tensorlike and find_python_class(kind) in _PLAIN) else None


def holds_no_tensor(kind: Value) -> bool:
    """Return whether no instance of a class is a tensor: it is Python's, but not `object`, or the user's and inherits
    from nothing but such classes."""
    if isinstance(kind, Class):
        inherited = [name for ancestor in kind.list_lineage() for name in ancestor.library]
        return not kind.is_module() and all(name in _BASES or _find_class(name) is not None for name in inherited)
    return find_python_class(kind) not in (None, object)


def _is_plain_instance_of(value: Value, name: str) -> bool | None:
    """Return whether a constant or a Python container is an instance of the library class `name`."""
    wanted = _find_class(name)
    if isinstance(value, Known):
        return isinstance(value.value, wanted) if wanted is not None else False
    own = _find_own_class(value)
    if own is None:
        return None
    if wanted is None:
        return False if name.startswith("torch.") and name != "torch.Size" else None
    if issubclass(own, wanted):
        return True
    return None if issubclass(wanted, own) else False


def _find_own_class(value: Value) -> type | None:
    """Return a Python class that a container, a function or a class is certainly an instance of."""
    if isinstance(value, Mapping):
        return dict
    if isinstance(value, (Suspended, Mapped)):
        return collections.abc.Generator if isinstance(value, Suspended) else collections.abc.Iterator
    if isinstance(value, Items):
        return tuple if value.fields else _find_class(_KINDS.get(value.kind, ""))
    if isinstance(value, Function):
        return types.FunctionType
    return type if isinstance(value, Class) else None


def _is_module_of(value: Module, name: str) -> bool | None:
    if name in (value.op.name, "torch.nn.Module"):
        return True
    other = find_module(name)
    if other is None:
        return None if name.startswith("torch.nn") else False
    # Of torch's public classes those that inherit one another (LazyLinear, ReLU6) call the same function.
    return None if other.call and other.call == value.op.call else False
