"""Which class a value is of, as far as that is known."""

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
_PLAIN = (int, float, str, bool, bytes, complex)


@lru_cache(maxsize=1024)
def _find_class(name: str) -> type | None:
    module, _, short = name.rpartition(".")
    found = getattr(_MODULES.get(module), short, None)
    return found if isinstance(found, type) else None


def python_class(value: Value | None) -> type | None:
    """The class of Python's own that the value is, None if it is none."""
    return _find_class(value.name) if isinstance(value, Library) else None


def class_of(value: Value) -> Value | None:
    """`type(value)`, None where it is not known."""
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, Items):
        return value.cls or (Library(_KINDS[value.kind]) if value.kind in _KINDS and not value.fields else None)
    if isinstance(value, Mapping):
        return Library("builtins.dict") if value.default is None else None
    if isinstance(value, Known):
        kind = "types.NoneType" if value.value is None else f"builtins.{type(value.value).__name__}"
        return Library(kind) if _find_class(kind) is not None else None
    if isinstance(value, Tensor):
        return Library("torch.nn.Parameter" if value.parameter else "torch.Tensor") if not value.assumed else None
    if isinstance(value, Module):
        return Library(value.op.name)
    return Library(f"torch.nn.{value.kind}") if isinstance(value, Container) else None


def is_a(value: Value, kind: Value) -> bool | None:
    """Whether `value` is of the class `kind`, None where that is not known."""
    if isinstance(value, Unknown):
        return _is_unknown_a(value, kind)
    if isinstance(kind, Class):
        own = value.cls if isinstance(value, (Instance, Items)) else None
        return own is not None and kind in own.lineage()
    if not isinstance(kind, Library):
        return None
    name = kind.name
    if name == "builtins.object":
        return True
    if isinstance(value, Tensor):
        return name == "torch.Tensor" or (name.endswith("Parameter") and value.parameter)
    if isinstance(value, Module):
        return _is_module_of(value, name)
    if isinstance(value, Container):
        return name in (f"torch.nn.{value.kind}", "torch.nn.Module")
    if isinstance(value, Optimizer):
        return name in (f"torch.optim.{value.name}", "torch.optim.Optimizer")
    if isinstance(value, Instance):
        inherited = [n for c in value.cls.lineage() for n in c.library]
        return name in inherited or (name == "torch.nn.Module" and value.cls.is_module())
    if isinstance(value, Number):
        return None
    return _is_plain_a(value, name)


def _is_unknown_a(value: Unknown, kind: Value) -> bool | None:
    if isinstance(kind, Library) and kind.name == "torch.Tensor" and (value.tensorlike or value.tensor is not None):
        return True
    return False if value.tensorlike and python_class(kind) in _PLAIN else None


def _is_plain_a(value: Value, name: str) -> bool | None:
    """Whether a constant or a container of Python's is of the library's class `name`."""
    wanted = _find_class(name)
    if isinstance(value, Known):
        return isinstance(value.value, wanted) if wanted is not None else False
    own = _own_class(value)
    if own is None:
        return None
    if wanted is None:
        return False if name.startswith("torch.") and name != "torch.Size" else None
    if issubclass(own, wanted):
        return True
    return None if issubclass(wanted, own) else False


def _own_class(value: Value) -> type | None:
    """Return the class of Python's own that a container, a function or a class is of, at least."""
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
