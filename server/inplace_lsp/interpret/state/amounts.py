"""Numbers that are told by others which are not known: the last pass over `n` things is number `n - 1`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from inplace_lsp.interpret.state.values import Amount, Container, Items, Known, Length, Number, Unknown, Value

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
"""What the comparisons by value do."""
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def find_amount(value: Value | None) -> Amount | None:
    """Return how much a number is, by another one that does not change; None where nothing tells."""
    if isinstance(value, (Known, Number, Unknown)) and value.amount is not None:
        return value.amount
    if isinstance(value, Known):
        return Amount(None, value.value) if type(value.value) is int else None
    if isinstance(value, Number):
        return None if value.grows else Amount(value, 0)
    if isinstance(value, Unknown):
        return None if value.tensorlike or value.tensor is not None else Amount(value, 0)
    return None


def add(amount: Amount | None, more: int) -> Amount | None:
    """Return what is so much more; None where the amount is not known."""
    return replace(amount, more=amount.more + more) if amount is not None else None


def compare(op: str, left: Value, right: Value) -> bool | None:
    """Return `left op right` where the amounts tell, else None."""
    if getattr(left, "amount", None) is None and getattr(right, "amount", None) is None:
        return None
    one, other = find_amount(left), find_amount(right)
    if one is None or other is None or one.base is not other.base or op not in COMPARE:
        return None
    if not one.at_most and not other.at_most:
        return COMPARE[op](one.more, other.more)
    if one.at_most and not other.at_most:
        return _compare_most(op, one.more, other.more)
    if other.at_most and not one.at_most:
        return _compare_most(_MIRRORED.get(op, op), other.more, one.more)
    return None


def _compare_most(op: str, most: int, other: int) -> bool | None:
    """Return whether what is at most `most` is `op` the other number."""
    if most < other:
        return op in ("<", "<=", "!=")
    return {"<=": True, ">": False}.get(op) if most == other else None


def find_length(value: Value) -> Amount | None:
    """Return how many elements there are, if that is not the number of those that are known."""
    if isinstance(value, Unknown):
        return Amount(len_of(value), 0)
    if isinstance(value, (Items, Container)) and value.length is not None:
        return value.length.amount if value.length.known == len(value.items) else None
    return None


def len_of(value: Unknown) -> Number:
    """Return how many elements what is not known has: the same number each time."""
    value.length = value.length or Number()
    return value.length


def give_length(value: Items | Container, amount: Amount | None) -> None:
    """Say how many elements there are. It holds as long as none is added or taken away."""
    value.length = Length(amount, len(value.items)) if amount is not None else None


def leave_out_middle(value: Value) -> Value:
    """Return a range without the number between the first and the last, which stands for all those that are neither:
    where nobody asks for the number, that pass is like the last."""
    if not isinstance(value, Items) or len(value.items) < 3 or any(type(item) is not Number for item in value.items):
        return value
    shorter = Items(value.kind, [value.items[0], value.items[-1]], open=value.open)
    give_length(shorter, find_length(value))
    return shorter


def number_passes(passes: int, last: Amount | None) -> list[Amount | None]:
    """Return what is known of the number of each of the `passes` that stand for all, of which the last is `last`."""
    if last is None:
        return [None] * passes
    return [*(replace(last, more=last.more - left, at_most=True) for left in range(passes - 1, 0, -1)), last]
