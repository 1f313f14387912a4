"""Group public names of the same callable: re-exports of `torch.nn.functional`, operators, properties."""

# ruff: noqa: PLC0415 (torch is imported where it is used: see the package)

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")

METHOD_TWINS = {
    "T": "numpy_T",
    "H": "matrix_H",
    "__add__": "add",
    "__radd__": "add",
    "__iadd__": "add_",
    "__sub__": "sub",
    "__isub__": "sub_",
    "__mul__": "mul",
    "__rmul__": "mul",
    "__imul__": "mul_",
    "__truediv__": "div",
    "__itruediv__": "div_",
    "__div__": "div",
    "__idiv__": "div_",
    "__floordiv__": "floor_divide",
    "__ifloordiv__": "floor_divide_",
    "__mod__": "remainder",
    "__imod__": "remainder_",
    "__pow__": "pow",
    "__ipow__": "pow_",
    "__matmul__": "matmul",
    "__neg__": "neg",
    "__pos__": "positive",
    "__abs__": "abs",
    "__invert__": "bitwise_not",
    "__eq__": "eq",
    "__ne__": "ne",
    "__lt__": "lt",
    "__le__": "le",
    "__gt__": "gt",
    "__ge__": "ge",
}
"""Operators and properties that torch binds to a method (torch/csrc/autograd/python_variable_methods.cpp)."""

NAMESPACES = (
    "torch",
    "torch.Tensor",
    "torch.linalg",
    "torch.special",
    "torch.fft",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.nn.utils",
    "torch.nn.utils.rnn",
)


def resolve_object(name: str) -> Any:
    """Return the object of a dotted name under `torch`. Raises AttributeError if there is none."""
    import torch

    found: Any = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


def is_in_torch(name: str) -> bool:
    """Return whether torch has that name."""
    try:
        resolve_object(name)
    except AttributeError:
        return False
    return True


def spread_facts(facts: Mapping[str, T]) -> dict[str, T]:
    """Return `facts` under every public name of the same object that this torch has."""
    spread = {name: fact for name, fact in facts.items() if is_in_torch(name)}
    for twin, method in METHOD_TWINS.items():
        if f"torch.Tensor.{method}" in facts and is_in_torch(f"torch.Tensor.{twin}"):
            spread.setdefault(f"torch.Tensor.{twin}", facts[f"torch.Tensor.{method}"])
    by_object = {id(resolve_object(name)): fact for name, fact in spread.items() if ".Tensor." not in name}
    for name in public_names():
        fact = by_object.get(id(resolve_object(name)))
        if fact is not None and ".Tensor." not in name:
            spread.setdefault(name, fact)
    return {name: spread[name] for name in sorted(spread) if not name.startswith("torch._C.")}


def public_names() -> Iterable[str]:
    """Return all callables in the namespaces that programs use."""
    for space in NAMESPACES:
        home = resolve_object(space)
        for attribute in sorted(dir(home)):
            if callable(getattr(home, attribute, None)) and not attribute.startswith("__"):
                yield f"{space}.{attribute}"
