"""Factories (`torch.zeros`, `torch.arange`, ...): derive shape and element type from the arguments."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from inplace_lsp.interpret.autograd import shapes
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Items, Known, Library, Number, Tensor, Unknown, Value, is_true
from inplace_lsp.interpret.torch_api import devices
from inplace_lsp.tape.model import ALWAYS, NEVER
from inplace_lsp.torch_ops.model import Overload

_INTEGERS = frozenset({"randint", "randperm", "arange"})
"""What makes integers unless it is given a float or an element type."""
_SEQUENCES = frozenset({"arange", "randperm", "linspace", "logspace"})
"""What has one dimension whatever it is called with: its elements, as indices, select views."""


def require_grad(machine: Machine, made: Tensor) -> None:
    """Let a tensor that was just made require grad, because the program asks for it."""
    made.requires_grad = ALWAYS
    machine.gradient_evidence = machine.asks_for_gradients = True


def describe_result(
    machine: Machine, name: str, result: Tensor, overload: Overload, bound: Mapping[str, Value]
) -> None:
    """Set shape and element type of the result of `torch.name`, and whether it is a leaf that requires grad.

    A leaf that is given as `out=` where gradients are off requires none any more, unless the factory is asked for one
    that does. With gradients on, torch refuses it.
    """
    if is_true(bound.get("requires_grad", NONE)):
        require_grad(machine, result)
    elif result.leaf and "out" in overload.writes and overload.makes_leaf() and not machine.recorder.grad_mode:
        result.requires_grad = NEVER
    if "size" in bound and "stride" not in bound:
        shapes.set_shape(result, read_extents(bound["size"]))
    if name in _SEQUENCES:
        shapes.set_shape(result, (_count_elements(bound),))
    devices.put_on(machine, result, bound.get("device"))
    dtype = bound.get("dtype")
    if isinstance(dtype, Library):
        result.dtype = element_type(dtype)
    elif name in _INTEGERS:
        result.dtype = "float" if any(map(_is_float, bound.values())) else "int"
    elif result.dtype not in ("float", "bool"):
        result.dtype = "int"


def _is_float(value: Value) -> bool:
    return isinstance(value, Known) and isinstance(value.value, float)


def element_type(dtype: Library) -> str:
    """Return the type of `torch.float32`, `torch.long`, `torch.bool`, ...: "" for floats of other sizes."""
    kind = dtype.name.rpartition(".")[2]
    if kind in ("float", "float32"):
        return "float"
    if "float" in kind or kind in _OTHER_FLOATS:
        return ""
    return "bool" if kind == "bool" else "int"


_OTHER_FLOATS = frozenset({"half", "double", "chalf", "cdouble", "complex32", "complex64", "complex128"})


def read_extents(size: Value) -> tuple[int | None, ...] | None:
    """Return the extents in `size`; None if their number is unknown: one unknown may stand for several."""
    if not isinstance(size, Items) or size.open:
        return None
    parts = size.items
    if len(parts) == 1 and isinstance(parts[0], Unknown):
        return None
    if any(not isinstance(extent, (Known, Number, Unknown)) for extent in parts):
        return None
    return tuple(
        extent.value if isinstance(extent, Known) and isinstance(extent.value, int) else None for extent in parts
    )


def _count_elements(bound: Mapping[str, Value]) -> int | None:
    """Return the number of elements of a sequence; None if unknown."""
    numbers = {name: _known_number(bound[name]) for name in ("n", "steps", "start", "end", "step") if name in bound}
    if None in numbers.values():
        return None
    count = numbers.get("n", numbers.get("steps"))
    if count is not None:
        return int(count)
    start, end, step = (numbers.get(name) or 0 for name in ("start", "end", "step"))
    return max(0, ceil((end - start) / (step or 1)))


def _known_number(value: Value) -> float | None:
    known = value.value if isinstance(value, Known) else None
    return known if isinstance(known, (int, float)) else None
