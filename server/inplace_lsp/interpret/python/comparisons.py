"""Evaluate comparisons: `==`, `<`, `is`, `in`."""

from __future__ import annotations

from collections.abc import Hashable

from inplace_lsp.interpret.machine.decisions import find_identity
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import operators
from inplace_lsp.interpret.state import relative_numbers
from inplace_lsp.interpret.state.values import (
    Bound,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Number,
    Question,
    Tensor,
    Unknown,
    Value,
    counts_passes,
    has_certain_key,
    is_none,
    make_key,
)

_NEVER_EQUAL = ({Known, Items}, {Known, Mapping}, {Items, Mapping})
"""Pairs of kinds whose values are never equal: a constant, a list or tuple, a dict."""


def compare_values(machine: Machine, op: str, left: Value, right: Value) -> Value:
    """Return `left op right`; if it is not known, the answer given before, or a choice."""
    own = _compare_by_method(machine, op, left, right)
    if own is not None:
        return own
    found = _compare_kinds(machine, op, left, right)
    if type(found) is not Number or found.question is not None:
        return found
    return _recall_comparison(machine, op, left, right) or found


def _recall_comparison(machine: Machine, op: str, left: Value, right: Value) -> Value | None:
    """Return the answer that a comparison of two unknowns has each time it is asked, whichever way; None if a side may
    change in between."""
    first, other = find_identity(left), find_identity(right)
    if first is None or other is None:
        return None
    if op in ("!=", "not in", "is not", ">=", "<="):
        answer = _recall_comparison(machine, _OPPOSITES[op], left, right)
        return machine.negate_value(answer) if answer is not None else None
    if op == ">":
        op, first, other = "<", other, first
    sides: Hashable = frozenset((first, other)) if op in ("==", "is") else (first, other)
    return machine.find_answer(("compare", op, sides), left, right)


_OPPOSITES = {"!=": "==", "not in": "in", "is not": "is", ">=": "<", "<=": ">"}
_METHODS = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _compare_by_method(machine: Machine, op: str, left: Value, right: Value) -> Value | None:
    """Return what the user's class of an operand says to the comparison; None if it says nothing."""
    if op in ("in", "not in"):
        found = _call_method(machine, right, "__contains__", left)
        return found if found is None or op == "in" else machine.negate_value(found)
    if op not in _METHODS:
        return None
    found = _call_method(machine, left, _METHODS[op], right)
    return found if found is not None else _call_method(machine, right, _METHODS[_MIRRORED[op]], left)


def _call_method(machine: Machine, value: Value, name: str, other: Value) -> Value | None:
    """Call the method of a user's object; return None if its class has none."""
    method = value.cls.look_up(name) if isinstance(value, Instance) else None
    return machine.call(Bound(value, method), [other], {}) if isinstance(method, Function) else None


def _compare_kinds(machine: Machine, op: str, left: Value, right: Value) -> Value:
    """Return `left op right` by the kinds of the operands; a new number if it is not known."""
    if counts_passes(left) or counts_passes(right):
        machine.counted += 1
    if op in ("is", "is not"):
        return _compare_identity(machine, left, right, wanted=op == "is")
    if op in ("in", "not in"):
        return _compare_membership(machine, left, right, wanted=op == "in")
    if isinstance(left, Known) and isinstance(right, Known):
        return _compare_constants(op, left.value, right.value)
    if _is_tensor(left) or _is_tensor(right):
        return operators.compare_tensors(machine, op, left, right)
    known = relative_numbers.compare_amounts(op, left, right)
    if known is not None:
        return Known(known)
    answer = _compare_objects(op, left, right)
    return answer if answer is not None else _compare_with_constant(machine, op, left, right)


def _is_tensor(value: Value) -> bool:
    return isinstance(value, Tensor) or (isinstance(value, Unknown) and value.tensorlike)


def _compare_constants(op: str, left: object, right: object) -> Value:
    try:
        return Known(bool(relative_numbers.COMPARE[op](left, right)))
    except TypeError:
        return Number()


def _compare_objects(op: str, left: Value, right: Value) -> Value | None:
    """Compare sequences, dicts, library objects and instances; None for other operands."""
    if isinstance(left, Items) and isinstance(right, Items) and op in ("==", "!="):
        return _compare_sequences(left, right, wanted=op == "==")
    if isinstance(left, Library) and isinstance(right, Library):
        return Known((left.name == right.name) == (op == "=="))
    if op in ("==", "!=") and {type(left), type(right)} in _NEVER_EQUAL:
        return Known(op == "!=")
    if isinstance(left, (Items, Mapping, Instance)) and type(left) is type(right):
        return Known((left is right) == (op == "=="))
    return None


def _compare_with_constant(machine: Machine, op: str, left: Value, right: Value) -> Value:
    """Compare an unknown with a constant; a new number for any other operands."""
    if isinstance(right, (Number, Unknown)) and isinstance(left, Known):
        left, right, op = right, left, _MIRRORED[op]
    if not isinstance(left, (Number, Unknown)) or not isinstance(right, Known):
        return Number()
    if isinstance(left, Number) and left.hint is not None and right.value == 0:
        machine.counted += left.hint > 0  # the first pass is another one than all that follow
        return _compare_constants(op, left.hint, 0)
    return machine.ask_about(left, "==" if op == "!=" else op, right.value, wanted=op != "!=")


def _compare_sequences(left: Items, right: Items, *, wanted: bool) -> Value:
    """Compare two sequences, as far as their constants are known."""
    if left.open or right.open:
        return Number()
    if len(left.items) != len(right.items):
        return Known(not wanted)
    pairs = [(a.value, b.value) for a, b in zip(left.items, right.items, strict=True)
             if isinstance(a, Known) and isinstance(b, Known)]  # fmt: skip
    if any(a != b for a, b in pairs):
        return Known(not wanted)
    return Known(wanted) if len(pairs) == len(left.items) else Number()


def _compare_identity(machine: Machine, left: Value, right: Value, *, wanted: bool) -> Value:
    """Return whether `left is right`, as `wanted`; a number if that is not known."""
    if is_none(right):
        return _compare_with_none(machine, left, wanted=wanted)
    if is_none(left):
        return _compare_with_none(machine, right, wanted=wanted)
    if isinstance(left, Known) and isinstance(right, Known):
        return Known((left.value == right.value) == wanted)
    if isinstance(left, Library) and isinstance(right, Library):
        return Known((left.name == right.name) == wanted)
    if isinstance(left, (Unknown, Number)) or isinstance(right, (Unknown, Number)):
        op = "==" if wanted else "!="
        return Known(wanted) if left is right else _compare_with_constant(machine, op, left, right)
    return Known((left is right) == wanted)


def _compare_with_none(machine: Machine, value: Value, *, wanted: bool) -> Value:
    """Return whether `value is None`, as `wanted`; an open question if a caller may give None."""
    if isinstance(value, Unknown) and value.may_be_none:
        return machine.ask_about(value, "is", None, wanted=wanted)
    if isinstance(value, Items) and value.none is None and value.may_be_none:
        return Number(about=value, question=Question(("is", None), wanted=wanted))
    is_absent = bool(value.none) if isinstance(value, Items) else is_none(value)
    return Known(is_absent == wanted)


def _compare_membership(machine: Machine, left: Value, right: Value, *, wanted: bool) -> Value:
    """Return whether `left in right`, as `wanted`; an open question if constants do not decide it."""
    found = _test_membership(machine, left, right)
    if found is not None:
        return Known(found == wanted)
    if isinstance(left, (Unknown, Number)) and isinstance(right, Items) and not right.open:
        constants = tuple(item.value for item in right.items if isinstance(item, Known))
        if len(constants) == len(right.items):
            return machine.ask_about(left, "in", constants, wanted=wanted)
    return Number()


def _has_key(machine: Machine, table: Mapping, key: Value) -> bool:
    name = make_key(key)
    if name not in table.items:
        machine.fill_table(table, name)
    return name in table.items


def _test_membership(machine: Machine, left: Value, right: Value) -> bool | None:
    """Return `left in right`, None if constants do not decide it."""
    if isinstance(right, Mapping):
        return _has_key(machine, right, left) if not right.open and has_certain_key(left) else None
    if isinstance(right, Items):
        return _is_among(left, right.items) if not right.open and not isinstance(left, Tensor) else None
    if isinstance(left, Known) and isinstance(right, Known) and isinstance(right.value, str):
        return str(left.value) in right.value
    return None


def _is_among(value: Value, items: list[Value]) -> bool | None:
    """Return whether one of the items equals the value, None if that is not known."""
    if not has_certain_key(value):
        return None
    if make_key(value) in map(make_key, items):
        return True
    return False if all(map(has_certain_key, items)) else None
