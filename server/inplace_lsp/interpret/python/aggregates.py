"""Evaluate Python's builtins that reduce many values to one, and sort values that can be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.iteration import find_elements, find_length, to_items
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.operators import apply_binary
from inplace_lsp.interpret.state import relative_numbers
from inplace_lsp.interpret.state.values import (
    NONE,
    Container,
    Instance,
    Items,
    Known,
    Mapping,
    Number,
    Tensor,
    Unknown,
    Value,
    is_given,
    is_true,
)

Rank = list[int | float | str]


def find_rank(value: Value) -> Rank:
    """Return the sort key of a value: its constant, or the constants that a tuple begins with; empty if unknown."""
    found: Rank = []
    for part in value.items if isinstance(value, Items) else [value]:
        if not isinstance(part, Known) or not isinstance(part.value, (int, float, str)):
            break
        found.append(part.value)
    return found


def sort_items(machine: Machine, items: list[Value], key: Value, *, reverse: bool) -> list[Value]:
    """Return the items sorted by `key`, or unsorted if their order is not known."""
    ranks = _find_ranks(machine, items, key)
    if ranks is None:
        return items
    try:
        return [items[at] for at in sorted(range(len(items)), key=ranks.__getitem__, reverse=reverse)]
    except TypeError:  # a name and a number
        return items


def _find_ranks(machine: Machine, items: Sequence[Value], key: Value) -> list[Rank] | None:
    """Return the rank of each item, None if one of them is not known."""
    ranks = [
        find_rank(item if key is NONE or isinstance(key, Known) else machine.call(key, [item], {})) for item in items
    ]
    return ranks if all(ranks) else None


@intrinsic("builtins.sorted(iterable, /, *, key=None, reverse=False)")
def _make_sorted_list(machine: Machine, iterable: Value, key: Value, reverse: Value) -> Value:
    items = to_items(machine, iterable)
    ordered = sort_items(machine, list(find_elements(machine, items)), key, reverse=is_true(reverse))
    return Items("list", ordered, items.open, more=items.more)


@intrinsic("builtins.sum(iterable, /, start=0)")
def _add_elements(machine: Machine, iterable: Value, start: Value, text: str) -> Value:
    total = start
    for item in find_elements(machine, iterable):
        total = apply_binary(machine, "+", total, item, text)
    return total


@intrinsic("builtins.len(obj, /)")
def _count_elements(machine: Machine, obj: Value) -> Value:
    if isinstance(obj, (Items, Mapping)) and obj.grows:
        return Number(grows=True)
    if isinstance(obj, Instance) and obj.cls.look_up("__len__") is not None:
        return machine.call(machine.get_attribute(obj, "__len__"), [], {})
    if isinstance(obj, Unknown):
        return relative_numbers.find_unknown_length(obj)
    known = _find_known_length(obj)
    if known is not None:
        return Known(known)
    length = find_length(machine, obj)
    if length is not None and length.more == 0 and isinstance(length.base, Number):
        return length.base  # the same number each time
    return Number(amount=length)


def _find_known_length(value: Value) -> int | None:
    """Return how many elements a value has, None if that is not known."""
    if isinstance(value, (Items, Mapping, Container)):
        return None if value.open else len(value.items)
    if isinstance(value, Known) and isinstance(value.value, str):
        return len(value.value)
    if isinstance(value, Tensor) and value.shape:
        return value.shape[0]
    return len(value.base.items) if isinstance(value, Instance) and isinstance(value.base, Container) else None


@intrinsic("builtins.max(*values, key=None, default=...)")
def _find_largest(machine: Machine, values: Items, key: Value, default: Value, text: str) -> Value:
    return _find_extreme(machine, values, key, default, max, text or "max")


@intrinsic("builtins.min(*values, key=None, default=...)")
def _find_smallest(machine: Machine, values: Items, key: Value, default: Value, text: str) -> Value:
    return _find_extreme(machine, values, key, default, min, text or "min")


def _find_extreme(
    machine: Machine, given: Items, key: Value, default: Value, choose: Callable[[list[Rank]], Rank], text: str
) -> Value:
    """Return the value with the largest (smallest) rank, a number if the ranks are not known."""
    source = given.items[0] if len(given.items) == 1 else given
    values = list(find_elements(machine, source))
    if not values:
        return default if is_given(default) and isinstance(source, Items) and not source.open else Number()
    ranks = _find_ranks(machine, values, key)
    if ranks is not None:
        try:
            return values[ranks.index(choose(ranks))]
        except TypeError:
            return Number()
    if any(isinstance(value, Tensor) for value in values):
        found = machine.make_unknown(text, values)
        found.flows = True  # it is one of them
        return found
    return Number()


@intrinsic("builtins.any(iterable, /)")
def _is_any_true(machine: Machine, iterable: Value) -> Value:
    return _test_elements(machine, iterable, any, decisive=True)


@intrinsic("builtins.all(iterable, /)")
def _are_all_true(machine: Machine, iterable: Value) -> Value:
    return _test_elements(machine, iterable, all, decisive=False)


def _test_elements(
    machine: Machine, iterable: Value, quantifier: Callable[[Iterable[bool]], bool], *, decisive: bool
) -> Value:
    """Return `any` or `all` of the elements; a single `decisive` one settles it."""
    values = list(find_elements(machine, iterable))
    known = [bool(value.value) for value in values if isinstance(value, Known)]
    whole = len(known) == len(values) and isinstance(iterable, Items) and not iterable.open
    return Known(quantifier(known)) if decisive in known or whole else Number()
