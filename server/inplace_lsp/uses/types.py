"""The words in annotations that mean tensors, and those that mean several values."""

from __future__ import annotations

from typing import Literal

Dtype = Literal["float", "long", "bool"]

TENSORS: dict[str, Dtype] = {
    **dict.fromkeys(
        ("Tensor", "FloatTensor", "DoubleTensor", "HalfTensor", "BFloat16Tensor", "Parameter", "TensorType"), "float"
    ),
    **dict.fromkeys(("LongTensor", "IntTensor", "ShortTensor", "CharTensor", "ByteTensor"), "long"),
    "BoolTensor": "bool",
}
"""Types of tensors, each with the kind of its elements."""
SHAPED: dict[str, Dtype] = {
    **dict.fromkeys(
        ("Float", "Float16", "Float32", "Float64", "BFloat16", "Num", "Shaped", "Inexact", "Real"), "float"
    ),
    **dict.fromkeys(("Int", "Int32", "Int64", "Integer", "UInt", "UInt8"), "long"),
    "Bool": "bool",
}
"""Annotations with a shape (`Float[Tensor, "batch"]`)."""
SEVERAL = frozenset("List list Tuple tuple Sequence Iterable Iterator".split())
"""Types of several values."""
CHOICES = frozenset(("Optional", "Union"))
WRAPPERS = frozenset(("Annotated", "Final"))
"""Annotations that wrap a type, their first argument."""


def is_floating_tensor(word: str) -> bool:
    """Return whether a type's tensors can require grad."""
    return TENSORS.get(word) == "float"


def is_whole_tensor(word: str) -> bool:
    """Return whether a type's tensors hold whole numbers or truths, and so never require grad."""
    return TENSORS.get(word, "float") != "float"
