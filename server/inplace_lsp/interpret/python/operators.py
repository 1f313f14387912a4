"""Operators: on numbers as Python does them, on tensors as the methods they call."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import amounts
from inplace_lsp.interpret.state.values import (
    Amount,
    Instance,
    Items,
    Known,
    Mapping,
    Number,
    Tensor,
    Unknown,
    Value,
    counts_passes,
    integer_of,
)
from inplace_lsp.interpret.torch_api import table_ops, tensor_methods

_METHODS = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "//": "floor_divide", "%": "remainder", "**": "pow", "@": "matmul",
    "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor", "<<": "bitwise_left_shift", ">>": "bitwise_right_shift",
}  # fmt: skip
_COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_SPECIAL = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
_FOLD: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
_UNARY = {"-": "neg", "~": "bitwise_not", "+": "positive"}
_LARGE = 10**6
_WIDTH = 3
"""Digits of a number in a template."""


def is_tensor(value: Value) -> bool:
    """Whether `value` is a tensor, or an unknown that is used as one elsewhere."""
    return isinstance(value, Tensor) or (isinstance(value, Unknown) and (value.tensorlike or value.tensor is not None))


def binary(machine: Machine, op: str, left: Value, right: Value, text: str = "") -> Value:
    """`left op right`."""
    if op != "@":
        _take_for_numbers(left, right)
    if is_tensor(left):
        return tensor_methods.call(machine, left, _METHODS[op], [right], {}, text)
    for value, other, name in ((left, right, f"__{_SPECIAL[op]}__"), (right, left, f"__r{_SPECIAL[op]}__")):
        if isinstance(value, Instance) and value.cls.lookup(name) is not None:
            return machine.call(machine.attribute(value, name), [other], {})
    if is_tensor(right):
        return _reversed(machine, op, left, right, text)
    if op == "%" and isinstance(left, Known) and isinstance(left.value, str):
        return _formatted(left.value, right)
    if isinstance(left, Items) or isinstance(right, Items):
        return _sequences(machine, op, left, right)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return Mapping({**left.items, **right.items}, left.open or right.open)
    return _numbers(machine, op, left, right, text)


def _take_for_numbers(*operands: Value) -> None:
    """What nothing says is a tensor (`config.image_size`) brings no gradient into arithmetic."""
    for value in operands:
        if isinstance(value, Unknown) and not (is_tensor(value) or value.inputs or value.argument):
            value.graphless = True


def _numbers(machine: Machine, op: str, left: Value, right: Value, text: str) -> Value:
    if isinstance(left, Known) and isinstance(right, Known) and left.amount is right.amount:
        return _fold(op, left.value, right.value)
    result = _compute(machine, op, left, right, text)
    if op in ("+", "-") and isinstance(result, (Known, Number, Unknown)):
        result.amount = _find_sum(op, left, right)
    return result


def _find_sum(op: str, left: Value, right: Value) -> Amount | None:
    """Return how much a number and a constant are together, where it is not known."""
    for value, other in ((left, right), (right, left)):
        by = integer_of(other)
        if by is not None and (value is left or op == "+"):
            amount = amounts.find_amount(value)
            if amount is not None and not (isinstance(value, Known) and value.amount is None):
                return amounts.add(amount, by if op == "+" else -by)
    return None


def _compute(machine: Machine, op: str, left: Value, right: Value, text: str) -> Value:
    if isinstance(left, Known) and isinstance(right, Known):
        return _fold(op, left.value, right.value)
    hints = [v.hint if isinstance(v, Number) else v.value if isinstance(v, Known) else None for v in (left, right)]
    if isinstance(left, Number) or isinstance(right, Number):
        grows = counts_passes(left) or counts_passes(right)
        if op in ("+", "-", "*") and all(type(h) is int for h in hints):
            return Number(_FOLD[op](*hints), grows)
        if not isinstance(left, Unknown) and not isinstance(right, Unknown):
            return Number(grows=grows)
    unknowns = [one for one in (left, right) if isinstance(one, Unknown)]
    if unknowns:
        result = machine.unknown(text or "an unknown operand", unknowns)
        result.graphless = all(one.graphless for one in unknowns)
        return result
    return Number()


def _fold(op: str, left: object, right: object) -> Value:
    small = all((isinstance(v, (bool, int, float)) and abs(v) < _LARGE) or isinstance(v, str) for v in (left, right))
    if (
        not small
        or (op in ("**", "<<") and isinstance(right, int) and right > 64)
        or (op == "*" and (isinstance(left, str) or isinstance(right, str)))
    ):
        return Number()
    try:
        return Known(_FOLD[op](left, right))
    except (TypeError, ValueError, ArithmeticError, KeyError):
        return Number()


def _formatted(text: str, value: Value) -> Value:
    """`text % value`."""
    parts = value.items if isinstance(value, Items) else [value]
    known = tuple(part.value for part in parts if isinstance(part, Known))
    made = constant_text(lambda: text % known, text) if len(known) == len(parts) else None
    return made if made is not None else Number()


def constant_text(make: Callable[[], object], template: str = "") -> Known | None:
    """What `make` makes of constants, and of a `template` for them; None where Python would raise, or where the
    template may ask for a width that no name has."""
    if "*" in template or any(len(digits) > _WIDTH for digits in re.findall(r"\d+", template)):
        return None
    try:
        return Known(make())
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError):
        return None


def _sequences(machine: Machine, op: str, left: Value, right: Value) -> Value:
    if op == "+" and isinstance(left, Items) and isinstance(right, Items):
        joined = Items(left.kind, [*left.items, *right.items], left.open or right.open)
        amounts.give_length(joined, _add_lengths(left, right))
        return joined
    if op == "*":
        items, times = (left, right) if isinstance(left, Items) else (right, left)
        if isinstance(items, Items):
            if isinstance(times, Known) and isinstance(times.value, int):
                return Items(items.kind, items.items * max(min(times.value, 16), 0), items.open)
            repeated = Items(items.kind, items.items * 2, open=True)
            if len(items.items) == 1 and not items.open:
                amounts.give_length(repeated, amounts.find_amount(times))
            return repeated
    if op == "-" and isinstance(left, Items):
        return Items(left.kind, list(left.items), open=True)
    if op == "+":
        known = left if isinstance(left, Items) else right
        return Items("list", list(known.items), open=True) if isinstance(known, Items) else machine.unknown("list")
    return machine.unknown("sequence")


def _add_lengths(left: Items, right: Items) -> Amount | None:
    """Return how many elements two sequences have together, where it is not known of just one."""
    lengths = amounts.find_length(left), amounts.find_length(right)
    for length, other, other_length in ((lengths[0], right, lengths[1]), (lengths[1], left, lengths[0])):
        if length is not None and other_length is None and not other.open:
            return amounts.add(length, len(other.items))
    return None


def _reversed(machine: Machine, op: str, left: Value, right: Value, text: str) -> Value:
    """A number or array on the left of a tensor."""
    if op in ("+", "*"):
        return tensor_methods.call(machine, right, _METHODS[op], [left], {}, text)
    if op == "**":
        return table_ops.torch_call(machine, "torch.pow", [left, right], {}, text)
    if op == "-":
        return table_ops.torch_call(machine, "torch.rsub", [right, left], {}, text)
    if op == "/":
        inverse = tensor_methods.call(machine, right, "reciprocal", [], {}, text)
        return tensor_methods.call(machine, inverse, "mul", [left], {}, text)
    return table_ops.torch_call(machine, f"torch.{_METHODS[op]}", [left, right], {}, text)


def comparison(machine: Machine, op: str, left: Value, right: Value) -> Value:
    """`left op right` of tensors: a mask."""
    if is_tensor(left):
        result = tensor_methods.call(machine, left, _COMPARISONS[op], [right], {})
    else:
        result = tensor_methods.call(machine, right, _COMPARISONS[op], [left], {})
    if isinstance(result, Tensor):
        result.dtype = "bool"
    return result


def unary(machine: Machine, op: str, value: Value) -> Value:
    """`op value`."""
    if is_tensor(value):
        result = value if op == "+" else tensor_methods.call(machine, value, _UNARY[op], [], {})
        if op == "~" and isinstance(result, Tensor):
            result.dtype = value.dtype if isinstance(value, Tensor) else "bool"
        return result
    if isinstance(value, Known) and isinstance(value.value, (int, float)):
        if op == "-":
            return Known(-value.value)
        if op == "~" and isinstance(value.value, int):
            return Known(~value.value)
    return machine.unknown("a number") if isinstance(value, Unknown) else Number()


def in_place(machine: Machine, op: str, current: Value, value: Value) -> Value:
    """`current op= value`: the same object for tensors and lists, a new value else."""
    if is_tensor(current) and op != "@":
        _take_for_numbers(value)
        return tensor_methods.call(machine, current, f"{_METHODS[op]}_", [value], {})
    if isinstance(current, Items) and op == "+" and current.kind in ("list", "deque"):
        if isinstance(value, Items):
            current.items.extend(value.items)
            current.open = current.open or value.open
        else:
            current.open = True
        return current
    if isinstance(current, Instance) and current.cls.lookup(f"__i{_SPECIAL[op]}__") is not None:
        return machine.call(machine.attribute(current, f"__i{_SPECIAL[op]}__"), [value], {})
    return binary(machine, op, current, value)
