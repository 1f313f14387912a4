"""Comparisons: `==`, `<`, `is`, `in`."""

from __future__ import annotations

from collections.abc import Hashable

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import operators
from inplace_lsp.interpret.state import amounts
from inplace_lsp.interpret.state.values import (
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Number,
    Tensor,
    Unknown,
    Value,
    counts_passes,
    is_certain,
    key_of,
)

_NEVER_EQUAL = ({Known, Items}, {Known, Mapping}, {Items, Mapping})
"""Kinds of values that are equal to none of the other: a constant, a list or tuple, a dict."""


def compare(machine: Machine, op: str, left: Value, right: Value) -> Value:
    """`left op right`; where it is not known, what was answered before, or a choice."""
    found = _compare(machine, op, left, right)
    if type(found) is not Number:
        return found
    identities = _identity(left), _identity(right)
    return found if None in identities else machine.answer(("compare", op, *identities), left, right)


def _identity(value: Value) -> Hashable | None:
    """What tells a value that does not change from others: constants by what they are; None for one that may change."""
    if isinstance(value, Known):
        return (type(value.value), key_of(value))
    if isinstance(value, Items):
        parts = tuple(map(_identity, value.items))
        return None if value.open or None in parts else (value.kind, parts)
    is_lasting = isinstance(value, (Unknown, Library, Number)) and not counts_passes(value)
    return id(value) if is_lasting else None


def _compare(machine: Machine, op: str, left: Value, right: Value) -> Value:
    if counts_passes(left) or counts_passes(right):
        machine.counted += 1
    if op in ("is", "is not"):
        same = _identical(machine, left, right)
        return Number() if same is None else Known(same == (op == "is"))
    if op in ("in", "not in"):
        return _contains(op, left, right)
    if isinstance(left, Known) and isinstance(right, Known):
        try:
            return Known(bool(amounts.COMPARE[op](left.value, right.value)))
        except TypeError:
            return Number()
    if any(isinstance(v, Tensor) or (isinstance(v, Unknown) and v.tensorlike) for v in (left, right)):
        return operators.comparison(machine, op, left, right)
    told = amounts.compare(op, left, right)
    if told is not None:
        return Known(told)
    if isinstance(left, Items) and isinstance(right, Items) and op in ("==", "!="):
        return _equal(left, right, wanted=op == "==")
    if isinstance(left, Library) and isinstance(right, Library):
        return Known((left.name == right.name) == (op == "=="))
    if op in ("==", "!=") and {type(left), type(right)} in _NEVER_EQUAL:
        return Known(op == "!=")
    if isinstance(left, (Items, Mapping, Instance)) and type(left) is type(right):
        return Known((left is right) == (op == "=="))
    for value, other, mirrored in ((left, right, False), (right, left, True)):
        if isinstance(value, (Number, Unknown)) and isinstance(other, Known):
            if isinstance(value, Number) and value.hint is not None and other.value == 0:
                return Known(bool(amounts.COMPARE[op](*((0, value.hint) if mirrored else (value.hint, 0)))))
            try:
                hash(other.value)
            except TypeError:
                return Number()
            likely = not (isinstance(value, Unknown) and value.names) or other.value in value.names
            answer = machine.remembered(value.truth, ("==" if op == "!=" else op, other.value), likely=likely)
            return Known(answer != (op == "!="))
    return Number()


def _equal(left: Items, right: Items, *, wanted: bool) -> Value:
    """Whether two sequences hold the same constants, as far as they are known."""
    if left.open or right.open:
        return Number()
    if len(left.items) != len(right.items):
        return Known(not wanted)
    pairs = [(a.value, b.value) for a, b in zip(left.items, right.items, strict=True)
             if isinstance(a, Known) and isinstance(b, Known)]  # fmt: skip
    if any(a != b for a, b in pairs):
        return Known(not wanted)
    return Known(wanted) if len(pairs) == len(left.items) else Number()


def _identical(machine: Machine, left: Value, right: Value) -> bool | None:
    """Whether `left is right`, None where that is not known."""
    for value, other in ((left, right), (right, left)):
        if isinstance(other, Known) and other.value is None:
            if isinstance(value, Known):
                return value.value is None
            if isinstance(value, (Unknown, Items)):
                if value.none is None:
                    value.none = value.may_be_none and machine.choices.choose(2) == 1
                return value.none
            return False
    if isinstance(left, Known) and isinstance(right, Known):
        return bool(left.value == right.value)
    if isinstance(left, Library) and isinstance(right, Library):
        return left.name == right.name
    if isinstance(left, (Unknown, Number)) or isinstance(right, (Unknown, Number)):
        return left is right or None
    return left is right


def _contains(op: str, left: Value, right: Value) -> Value:
    """`left in right` or `left not in right`, as far as the constants in it tell."""
    if isinstance(right, Mapping) and not right.open and is_certain(left):
        return Known((key_of(left) in right.items) == (op == "in"))
    if isinstance(right, Items) and not right.open and is_certain(left) and not isinstance(left, Tensor):
        found = key_of(left) in map(key_of, right.items)
        return Known(found == (op == "in")) if found or all(map(is_certain, right.items)) else Number()
    if isinstance(left, Known) and isinstance(right, Known) and isinstance(right.value, str):
        return Known((str(left.value) in right.value) == (op == "in"))
    return Number()
