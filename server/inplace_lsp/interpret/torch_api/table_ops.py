"""Ops of the table, called by name, and the element types of their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inplace_lsp.interpret.autograd import ops
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Known, Tensor, Unknown, Value
from inplace_lsp.torch_ops.model import Overload
from inplace_lsp.torch_ops.table import find_overloads

Arguments = Sequence[Value]
Keywords = Mapping[str, Value]

_INTEGERS = frozenset({"long", "int", "short", "char", "byte", "argmax", "argmin", "argsort", "bincount", "nonzero"})
_BOOLEANS = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "isnan", "isinf", "isfinite", "logical_not", "logical_and",
                       "logical_or", "logical_xor", "bool", "all", "any", "isclose"})  # fmt: skip
_KEEP_DTYPE = frozenset({"clone", "bitwise_not", "bitwise_and", "bitwise_or", "contiguous", "flip", "roll", "neg",
                         "abs", "repeat", "tile", "index_select", "gather", "unique", "cumsum"})  # fmt: skip
_PROMOTING = frozenset({"add", "sub", "mul", "rsub", "remainder", "floor_divide", "pow", "minimum", "maximum"})


def call_table_op(machine: Machine, name: str, arguments: Arguments, keywords: Keywords, text: str = "") -> Value:
    """Call the op `name` of the table; return an unknown value if no overload takes these arguments."""
    chosen = ops.choose_overload(find_overloads(name), arguments, keywords)
    short = name.rpartition(".")[2]
    if chosen is None:
        return machine.unknown_call(text or short, [*arguments, *keywords.values()])
    return run_overload(machine, short, *chosen)


def run_overload(machine: Machine, name: str, overload: Overload, bound: Mapping[str, Value]) -> Value:
    """Run an overload, under its short name, on bound arguments."""
    return _set_element_type(name, ops.apply_overload(machine.recorder, overload, bound, declared=None), bound)


def _set_element_type(name: str, result: Value, bound: Mapping[str, Value]) -> Value:
    """Set what is known of the element type of an op's result, and return the result."""
    if isinstance(result, Tensor) and result not in bound.values():
        if name in _BOOLEANS:
            result.dtype = "bool"
        elif name in _INTEGERS:
            result.dtype = "int"
        elif name in ("double", "half", "bfloat16", "float_power"):
            result.dtype = ""
        else:
            _take_type_of_source(name, result, bound)
    return result


def _take_type_of_source(name: str, result: Tensor, bound: Mapping[str, Value]) -> None:
    source = bound.get("self") or bound.get("input")
    if isinstance(source, Tensor):
        if name in _KEEP_DTYPE:
            result.dtype = source.dtype
        elif name in _PROMOTING:
            result.dtype = _promote_dtype(source.dtype, bound.get("other", bound.get("exponent", NONE)))


def _promote_dtype(dtype: str, other: Value) -> str:
    """Return the element type of `self op other` for a `self` of that type."""
    if isinstance(other, Tensor):
        kinds = {dtype, other.dtype}
        return next(kind for kind in ("float", "", "int", "bool") if kind in kinds)
    if dtype == "float" or (isinstance(other, Known) and isinstance(other.value, float)):
        return "float"
    return "" if isinstance(other, Unknown) and other.tensorlike else dtype
