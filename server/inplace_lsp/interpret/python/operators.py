"""Apply operators: to numbers as Python does, to tensors by the methods they call."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import relative_numbers
from inplace_lsp.interpret.state.implications import Answers
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
    find_integer,
    is_constant,
)
from inplace_lsp.interpret.torch_api import table_ops, tensor_methods
from inplace_lsp.interpret.torch_api.new_arrays import is_array, is_real_array, new_array, take_for_array

METHODS = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "//": "floor_divide", "%": "remainder", "**": "pow", "@": "matmul",
    "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor", "<<": "bitwise_left_shift", ">>": "bitwise_right_shift",
}  # fmt: skip
"""The tensor method of each operator; the augmented operator calls it with an underscore at the end."""
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
_SPECIAL_UNARY = {"-": "neg", "~": "invert", "+": "pos"}
_UNARY = {"-": "neg", "~": "bitwise_not", "+": "positive"}
_LARGE = 10**6
_WIDTH = 3
"""The number of digits that a number in a template may have."""


def is_tensor(value: Value) -> bool:
    """Return whether `value` is a tensor, or an unknown that is used as one elsewhere."""
    return isinstance(value, Tensor) or (isinstance(value, Unknown) and (value.tensorlike or value.tensor is not None))


def apply_binary(machine: Machine, op: str, left: Value, right: Value, text: str = "") -> Value:
    """Return `left op right`."""
    if op != "@":
        _take_for_numbers(left, right)
    _take_for_arrays(machine, op, left, right)
    if is_tensor(left) and is_tensor(right) and is_array(left) != is_array(right):
        plain = _compute_without_gradient(machine, op, left, right)
        if plain is not None:
            return plain
    if is_tensor(left) and not _takes_over(left, op, right):
        return tensor_methods.call_tensor_method(machine, left, METHODS[op], [right], {}, text)
    for value, other, name in ((left, right, f"__{_SPECIAL[op]}__"), (right, left, f"__r{_SPECIAL[op]}__")):
        if isinstance(value, Instance) and value.cls.look_up(name) is not None:
            return machine.call(machine.get_attribute(value, name), [other], {})
    if is_tensor(right):
        return _apply_to_right_tensor(machine, op, left, right, text)
    combined = _combine_containers(machine, op, left, right)
    return combined if combined is not None else _compute_number(machine, op, left, right, text)


def _takes_over(left: Value, op: str, right: Value) -> bool:
    """Return whether the right operand applies the operator: a tensor beside an array, an object that has it."""
    if isinstance(right, Instance):
        return right.base is None and right.cls.look_up(f"__r{_SPECIAL[op]}__") is not None
    return is_array(left) and is_tensor(right) and not is_array(right)


def _combine_containers(machine: Machine, op: str, left: Value, right: Value) -> Value | None:
    """Return `left op right` of texts, sequences and dicts; None for other operands."""
    if op == "%" and isinstance(left, Known) and isinstance(left.value, str):
        return _format_text(left.value, right)
    if isinstance(left, Items) or isinstance(right, Items):
        return _combine_sequences(machine, op, left, right)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return Mapping({**left.items, **right.items}, left.open or right.open)
    return None


def _take_for_numbers(*operands: Value) -> None:
    """Mark operands as graphless that nothing says are tensors (`config.image_size`): arithmetic gets no gradient from
    them."""
    for value in operands:
        if isinstance(value, Unknown) and not (is_tensor(value) or value.inputs or value.argument):
            value.graphless = True


def _take_for_arrays(machine: Machine, op: str, left: Value, right: Value) -> None:
    """Take an assumed tensor for an array if only arrays go together with the other operand: an array of several
    elements, or a factor of a matrix product."""
    for value, other in ((left, right), (right, left)):
        if is_real_array(other) or (op == "@" and is_array(other)):
            take_for_array(machine, value)


def _compute_without_gradient(machine: Machine, op: str, left: Value, right: Value) -> Value | None:
    """Return `left op right` of an array and a tensor: torch refuses a tensor that requires grad.

    Return None for an array that may be a mere number: beside it, a tensor keeps its graph.
    """
    array = left if is_array(left) else right
    if not (op == "@" or is_real_array(array)):
        return None
    return new_array(machine) if array is left else machine.recorder.new_tensor(METHODS[op])


def _compute_number(machine: Machine, op: str, left: Value, right: Value, text: str) -> Value:
    if isinstance(left, Known) and isinstance(right, Known) and left.amount is right.amount:
        return _fold_constants(op, left.value, right.value)
    result = _compute_operation(machine, op, left, right, text)
    if isinstance(result, (Number, Unknown)):
        result.truth = _share_answers(machine, op, left, right)
    if op in ("+", "-") and isinstance(result, (Known, Number, Unknown)):
        result.amount = _find_sum(op, left, right)
    return result


def _share_answers(machine: Machine, op: str, left: Value, right: Value) -> Answers:
    """Return the known relation of the result: a remainder is less than the divisor."""
    answers = machine.share_answers(op, left, right)
    by = find_integer(right)
    if op == "%" and by is not None and 0 < by <= _FEW:
        answers["in", tuple(range(by))] = True
    return answers


_FEW = 16
"""The number by which to divide, up to which remainders are listed."""


def _find_sum(op: str, left: Value, right: Value) -> Amount | None:
    """Return the amount of an unknown number plus or minus a constant, None if it is none of these."""
    for value, other in ((left, right), (right, left)):
        by = find_integer(other)
        if by is not None and (value is left or op == "+"):
            amount = relative_numbers.find_amount(value)
            if amount is not None and not (isinstance(value, Known) and value.amount is None):
                return relative_numbers.add_to_amount(amount, by if op == "+" else -by)
    return None


def _compute_operation(machine: Machine, op: str, left: Value, right: Value, text: str) -> Value:
    if isinstance(left, Known) and isinstance(right, Known):
        return _fold_constants(op, left.value, right.value)
    unknowns = [operand for operand in (left, right) if isinstance(operand, Unknown)]
    hint = _compute_hint(op, left, right)
    if hint is not None or not unknowns:
        return Number(hint, counts_passes(left) or counts_passes(right))
    return _depend_on_operands(machine.make_unknown(text or "an unknown operand", unknowns), left, right)


def _depend_on_operands(result: Unknown, left: Value, right: Value) -> Unknown:
    """Return the result of an operation with what is known of it by its operands."""
    unknowns = [operand for operand in (left, right) if isinstance(operand, Unknown)]
    result.graphless = all(operand.graphless for operand in unknowns)
    result.of_constants = is_constant(left) and is_constant(right)
    result.flows = bool(result.inputs) and all(operand.flows or operand.graphless for operand in unknowns)
    return result


def _compute_hint(op: str, left: Value, right: Value) -> int | None:
    """Return the hint of `left op right`, None if an operand has none."""
    hints = _find_hint(left), _find_hint(right)
    if op not in ("+", "-", "*") or not all(type(hint) is int for hint in hints):
        return None
    result: int = _FOLD[op](*hints)
    return result


def _find_hint(value: Value) -> object:
    """Return the constant of an operand, or the hint of a number; None if there is none."""
    if isinstance(value, Number):
        return value.hint
    return value.value if isinstance(value, Known) else None


def _fold_constants(op: str, left: object, right: object) -> Value:
    if not _is_small(left) or not _is_small(right) or _makes_much(op, left, right):
        return Number()
    try:
        return Known(_FOLD[op](left, right))
    except (TypeError, ValueError, ArithmeticError, KeyError):
        return Number()


def _is_small(value: object) -> bool:
    return (isinstance(value, (bool, int, float)) and abs(value) < _LARGE) or isinstance(value, str)


def _makes_much(op: str, left: object, right: object) -> bool:
    """Return whether an operation of small constants may make a large number or a long text."""
    if op in ("**", "<<"):
        return isinstance(right, int) and right > 64
    return op == "*" and (isinstance(left, str) or isinstance(right, str))


def _format_text(text: str, value: Value) -> Value:
    """Return `text % value`."""
    parts = value.items if isinstance(value, Items) else [value]
    known = tuple(part.value for part in parts if isinstance(part, Known))
    made = make_constant_text(lambda: text % known, text) if len(known) == len(parts) else None
    return made if made is not None else Number()


def make_constant_text(make: Callable[[], object], template: str = "") -> Known | None:
    """Return what `make` makes of constants and a `template`; None if Python would raise, or if the template may ask
    for a width that no name has."""
    if "*" in template or any(len(digits) > _WIDTH for digits in re.findall(r"\d+", template)):
        return None
    try:
        return Known(make())
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError):
        return None


def _combine_sequences(machine: Machine, op: str, left: Value, right: Value) -> Value:
    if op == "+":
        return _join_sequences(machine, left, right)
    if op == "*" and isinstance(left, Items):
        return _repeat_sequence(left, right)
    if op == "*" and isinstance(right, Items):
        return _repeat_sequence(right, left)
    if op == "-" and isinstance(left, Items):
        return Items(left.kind, list(left.items), open=True)
    return machine.make_unknown("sequence")


def _join_sequences(machine: Machine, left: Value, right: Value) -> Value:
    if isinstance(left, Items) and isinstance(right, Items):
        joined = Items(left.kind, [*left.items, *right.items], left.open or right.open)
        relative_numbers.give_length(joined, _add_lengths(left, right))
        return joined
    known = left if isinstance(left, Items) else right
    return Items("list", list(known.items), open=True) if isinstance(known, Items) else machine.make_unknown("list")


def _repeat_sequence(items: Items, times: Value) -> Items:
    """Return `items * times`."""
    if isinstance(times, Known) and isinstance(times.value, int):
        return Items(items.kind, items.items * max(min(times.value, 16), 0), items.open)
    repeated = Items(items.kind, items.items * 2, open=True)
    if len(items.items) == 1 and not items.open:
        relative_numbers.give_length(repeated, relative_numbers.find_amount(times))
    return repeated


def _add_lengths(left: Items, right: Items) -> Amount | None:
    """Return the length of two concatenated sequences, if exactly one of the lengths is unknown."""
    lengths = relative_numbers.find_length(left), relative_numbers.find_length(right)
    for length, other, other_length in ((lengths[0], right, lengths[1]), (lengths[1], left, lengths[0])):
        if length is not None and other_length is None and not other.open:
            return relative_numbers.add_to_amount(length, len(other.items))
    return None


def _apply_to_right_tensor(machine: Machine, op: str, left: Value, right: Value, text: str) -> Value:
    """Return `left op right` of a number or array and a tensor."""
    if op in ("+", "*"):
        return tensor_methods.call_tensor_method(machine, right, METHODS[op], [left], {}, text)
    if op == "**":
        return table_ops.call_table_op(machine, "torch.pow", [left, right], {}, text)
    if op == "-":
        return table_ops.call_table_op(machine, "torch.rsub", [right, left], {}, text)
    if op == "/":
        inverse = tensor_methods.call_tensor_method(machine, right, "reciprocal", [], {}, text)
        return tensor_methods.call_tensor_method(machine, inverse, "mul", [left], {}, text)
    return table_ops.call_table_op(machine, f"torch.{METHODS[op]}", [left, right], {}, text)


def compare_tensors(machine: Machine, op: str, left: Value, right: Value) -> Value:
    """Return the mask `left op right` of tensors."""
    if is_tensor(left):
        result = tensor_methods.call_tensor_method(machine, left, _COMPARISONS[op], [right], {})
    else:
        result = tensor_methods.call_tensor_method(machine, right, _COMPARISONS[op], [left], {})
    if isinstance(result, Tensor):
        result.dtype = "bool"
    return result


def apply_unary(machine: Machine, op: str, value: Value) -> Value:
    """Return `op value`."""
    if isinstance(value, Instance) and value.cls.look_up(f"__{_SPECIAL_UNARY[op]}__") is not None:
        return machine.call(machine.get_attribute(value, f"__{_SPECIAL_UNARY[op]}__"), [], {})
    if is_tensor(value):
        result = value if op == "+" else tensor_methods.call_tensor_method(machine, value, _UNARY[op], [], {})
        if op == "~" and isinstance(result, Tensor):
            result.dtype = value.dtype if isinstance(value, Tensor) else "bool"
        return result
    if isinstance(value, Unknown):
        return _depend_on_operands(machine.make_unknown(f"{op}{value.origin}", [value]), value, value)
    return _negate_constant(op, value.value) if isinstance(value, Known) else Number()


def _negate_constant(op: str, value: object) -> Value:
    if op == "-" and isinstance(value, (int, float)):
        return Known(-value)
    return Known(~value) if op == "~" and isinstance(value, int) else Number()


def _extend_list(current: Items, value: Value) -> None:
    if isinstance(value, Items):
        current.items.extend(value.items)
        current.open = current.open or value.open
    else:
        current.open = True


def apply_in_place(machine: Machine, op: str, current: Value, value: Value) -> Value:
    """Execute `current op= value`: tensors and lists stay the same object, other values are replaced, and so are
    tensors where the operand is an array (`Tensor.__iadd__` and its like leave it to `__add__`)."""
    _take_for_arrays(machine, op, current, value)
    if is_tensor(current) and op != "@" and (is_array(current) or not is_real_array(value)):
        _take_for_numbers(value)
        with machine.recorder.run_spelt(f"{op}="):
            return tensor_methods.call_tensor_method(machine, current, f"{METHODS[op]}_", [value], {})
    if isinstance(current, Items) and op == "+" and current.kind in ("list", "deque"):
        _extend_list(current, value)
        return current
    if isinstance(current, Instance) and current.cls.look_up(f"__i{_SPECIAL[op]}__") is not None:
        return machine.call(machine.get_attribute(current, f"__i{_SPECIAL[op]}__"), [value], {})
    return apply_binary(machine, op, current, value)
