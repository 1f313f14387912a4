"""Which public names mean the same callable: what `torch.nn.functional` re-exports, operators, properties."""

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


def resolve(name: str) -> Any:
    """The object that a dotted name under `torch` means; AttributeError if there is none."""
    import torch

    found: Any = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


def exists(name: str) -> bool:
    """Whether torch has that name."""
    try:
        resolve(name)
    except AttributeError:
        return False
    return True


def spread(facts: Mapping[str, T]) -> dict[str, T]:
    """`facts` under every public name of the same object, names that torch does not have left out."""
    spread = {name: fact for name, fact in facts.items() if exists(name)}
    for twin, method in METHOD_TWINS.items():
        if f"torch.Tensor.{method}" in facts and exists(f"torch.Tensor.{twin}"):
            spread.setdefault(f"torch.Tensor.{twin}", facts[f"torch.Tensor.{method}"])
    by_object = {id(resolve(name)): fact for name, fact in spread.items() if ".Tensor." not in name}
    for name in public_names():
        fact = by_object.get(id(resolve(name)))
        if fact is not None and ".Tensor." not in name:
            spread.setdefault(name, fact)
    return {name: spread[name] for name in sorted(spread) if not name.startswith("torch._C.")}


def public_names() -> Iterable[str]:
    """All callables in the namespaces that programs use."""
    for space in NAMESPACES:
        home = resolve(space)
        for attribute in sorted(dir(home)):
            if callable(getattr(home, attribute, None)) and not attribute.startswith("__"):
                yield f"{space}.{attribute}"
