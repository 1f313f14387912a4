"""Compare numbers that are known relative to an unknown one: the last pass over `n` things is number `n - 1`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from inplace_lsp.interpret.state.implications import IS_EMPTY, IS_TRUE
from inplace_lsp.interpret.state.values import Amount, Container, Items, Known, Length, Number, Unknown, Value

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
"""The functions that compare values."""
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def find_amount(value: Value | None) -> Amount | None:
    """Return a number relative to an unchanging one, None if it has no such relation."""
    if isinstance(value, (Known, Number, Unknown)) and value.amount is not None:
        return value.amount
    if isinstance(value, Known):
        return Amount(None, value.value) if type(value.value) is int else None
    if isinstance(value, Number):
        return None if value.grows else Amount(value, 0)
    if isinstance(value, Unknown):
        return None if value.tensorlike or value.tensor is not None else Amount(value, 0)
    return None


def add_to_amount(amount: Amount | None, more: int) -> Amount | None:
    """Return the amount plus `more`; None if it is not known."""
    return replace(amount, more=amount.more + more) if amount is not None else None


def compare_amounts(op: str, left: Value, right: Value) -> bool | None:
    """Return `left op right` if the amounts decide it, else None."""
    if getattr(left, "amount", None) is None and getattr(right, "amount", None) is None:
        return None
    first, other = find_amount(left), find_amount(right)
    if first is None or other is None or first.base is not other.base or op not in COMPARE:
        return None
    if first.at_most and other.at_most:
        return None
    if first.at_most:
        return _compare_most(op, first.more, other.more)
    if other.at_most:
        return _compare_most(_MIRRORED.get(op, op), other.more, first.more)
    return COMPARE[op](first.more, other.more)


def _compare_most(op: str, most: int, other: int) -> bool | None:
    """Compare a number that is at most `most` with the other; None if that does not decide it."""
    if most < other:
        return op in ("<", "<=", "!=")
    return {"<=": True, ">": False}.get(op) if most == other else None


def find_length(value: Value) -> Amount | None:
    """Return the number of elements, if it differs from the number of known ones."""
    if isinstance(value, Unknown):
        return Amount(find_unknown_length(value), 0)
    if isinstance(value, (Items, Container)) and value.length is not None:
        return value.length.amount if value.length.known == len(value.items) else None
    return None


def find_unknown_length(value: Unknown) -> Number:
    """Return the number of elements of an unknown value: the same number each time."""
    if value.length is None:
        value.length = Number(is_count=True)
        if IS_TRUE in value.truth:
            value.length.truth[IS_EMPTY] = not value.truth[IS_TRUE]
    return value.length


def is_known_empty(value: Value) -> bool:
    """Return whether an unknown value was found to have no elements."""
    if not isinstance(value, Unknown):
        return False
    is_empty = value.length.truth.get(IS_EMPTY) if value.length is not None else None
    return is_empty if is_empty is not None else value.truth.get(IS_TRUE) is False


def forget_length(value: Unknown) -> None:
    """Forget how many elements an unknown value has: the program adds or removes some."""
    value.length = None
    value.truth.pop(IS_TRUE, None)


def give_length(value: Items | Container, amount: Amount | None) -> None:
    """Set the number of elements. It holds until one is added or removed."""
    value.length = Length(amount, len(value.items)) if amount is not None else None


def is_past_end(value: Items, index: int) -> bool:
    """Return whether a container was found to have no element at `index`: its loop asked if there is only one."""
    amount = find_length(value)
    if amount is None or not isinstance(amount.base, (Number, Unknown)):
        return False
    equal = (constant for (op, constant), holds in amount.base.truth.items() if holds and op == "==")
    return any(isinstance(constant, int) and index >= constant + amount.more for constant in equal)


def drop_middle(value: Value) -> Value:
    """Return a range without its middle number, which represents all but the first and the last: if no code reads the
    number, that pass is like the last one."""
    if not isinstance(value, Items) or len(value.items) < 3 or any(type(item) is not Number for item in value.items):
        return value
    shorter = Items(value.kind, [value.items[0], value.items[-1]], open=value.open)
    give_length(shorter, find_length(value))
    return shorter


def number_passes(passes: int, last: Amount | None) -> list[Amount | None]:
    """Return the pass number, as far as it is known, of each of the `passes` that stand for all; the last one is
    `last`."""
    if last is None or not passes:
        return [None] * passes
    return [*(replace(last, more=last.more - left, at_most=True) for left in range(passes - 1, 0, -1)), last]
