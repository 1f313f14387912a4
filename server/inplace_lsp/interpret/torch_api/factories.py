"""Factories (`torch.zeros`, `torch.arange`, ...): what their arguments say of the tensor they make."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from inplace_lsp.interpret.autograd import shapes
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Items, Known, Library, Number, Tensor, Unknown, Value, is_true
from inplace_lsp.tape.model import ALWAYS

_INTEGERS = frozenset({"randint", "randperm", "arange"})
"""What makes integers unless it is given a float or an element type."""
_SEQUENCES = frozenset({"arange", "randperm", "linspace", "logspace"})
"""What has one dimension whatever it is called with: its elements, as indices, select views."""


def describe(machine: Machine, name: str, result: Tensor, bound: Mapping[str, Value]) -> None:
    """Note extent and element type of what `torch.name` made of `bound`, and whether it is a leaf that needs grad."""
    if is_true(bound.get("requires_grad", NONE)):
        result.requires_grad = ALWAYS
        machine.gradient_evidence = True
    if "size" in bound and "stride" not in bound:
        shapes.take(result, _extent(bound["size"]))
    if name in _SEQUENCES:
        shapes.take(result, (_length(bound),))
    dtype = bound.get("dtype")
    if isinstance(dtype, Library):
        result.dtype = element_type(dtype)
    elif name in _INTEGERS:
        floats = any(isinstance(one, Known) and isinstance(one.value, float) for one in bound.values())
        result.dtype = "float" if floats else "int"
    elif result.dtype not in ("float", "bool"):
        result.dtype = "int"


def element_type(dtype: Library) -> str:
    """Whether `torch.float64`, `torch.long`, ... is of floats, bools or integers."""
    kind = dtype.name.rpartition(".")[2]
    if "float" in kind or "complex" in kind or kind in ("half", "double"):
        return "float"
    return "bool" if kind == "bool" else "int"


def _extent(size: Value) -> tuple[int | None, ...] | None:
    """The extents of `size`, None where it is not known how many there are: a single unknown may stand for several."""
    if not isinstance(size, Items) or size.open:
        return None
    parts = size.items
    if len(parts) == 1 and isinstance(parts[0], Unknown):
        return None
    if any(not isinstance(one, (Known, Number, Unknown)) for one in parts):
        return None
    return tuple(one.value if isinstance(one, Known) and isinstance(one.value, int) else None for one in parts)


def _length(bound: Mapping[str, Value]) -> int | None:
    """How many elements a sequence has, None where it is not known."""
    numbers = {name: _number(bound[name]) for name in ("n", "steps", "start", "end", "step") if name in bound}
    if None in numbers.values():
        return None
    count = numbers.get("n", numbers.get("steps"))
    if count is not None:
        return int(count)
    start, end, step = (numbers.get(name) or 0 for name in ("start", "end", "step"))
    return max(0, ceil((end - start) / (step or 1)))


def _number(value: Value) -> float | None:
    known = value.value if isinstance(value, Known) else None
    return known if isinstance(known, (int, float)) else None
