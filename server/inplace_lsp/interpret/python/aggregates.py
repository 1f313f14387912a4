"""Python's builtins that make one value of many, and the order of what can be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.iteration import elements, to_items
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.operators import binary
from inplace_lsp.interpret.state import amounts
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


def rank(value: Value) -> Rank:
    """What the value is compared by: a constant, or the constants that a tuple begins with; empty if not known."""
    found: Rank = []
    for part in value.items if isinstance(value, Items) else [value]:
        if not isinstance(part, Known) or not isinstance(part.value, (int, float, str)):
            break
        found.append(part.value)
    return found


def in_order(machine: Machine, items: list[Value], key: Value, *, reverse: bool) -> list[Value]:
    """The items sorted by what `key` makes of them; as they are where that is not known."""
    ranks = _ranks(machine, items, key)
    if ranks is None:
        return items
    try:
        return [items[at] for at in sorted(range(len(items)), key=ranks.__getitem__, reverse=reverse)]
    except TypeError:  # a name and a number
        return items


def _ranks(machine: Machine, items: Sequence[Value], key: Value) -> list[Rank] | None:
    """The rank of each item, None where one is not known."""
    ranks = [rank(one if key is NONE or isinstance(key, Known) else machine.call(key, [one], {})) for one in items]
    return ranks if all(ranks) else None


@intrinsic("builtins.sorted(iterable, /, *, key=None, reverse=False)")
def _sorted(machine: Machine, iterable: Value, key: Value, reverse: Value) -> Value:
    items = to_items(machine, iterable)
    ordered = in_order(machine, list(elements(machine, items)), key, reverse=is_true(reverse))
    return Items("list", ordered, items.open, more=items.more)


@intrinsic("builtins.sum(iterable, /, start=0)")
def _sum(machine: Machine, iterable: Value, start: Value, text: str) -> Value:
    total = start
    for item in elements(machine, iterable):
        total = binary(machine, "+", total, item, text)
    return total


@intrinsic("builtins.len(obj, /)")
def _len(machine: Machine, obj: Value) -> Value:
    if isinstance(obj, (Items, Mapping)) and obj.grows:
        return Number(grows=True)
    if isinstance(obj, (Items, Mapping, Container)) and not obj.open:
        return Known(len(obj.items))
    if isinstance(obj, Known) and isinstance(obj.value, str):
        return Known(len(obj.value))
    if isinstance(obj, Tensor) and obj.shape and obj.shape[0] is not None:
        return Known(obj.shape[0])
    if isinstance(obj, Instance) and obj.cls.lookup("__len__") is not None:
        return machine.call(machine.attribute(obj, "__len__"), [], {})
    if isinstance(obj, Instance) and isinstance(obj.base, Container):
        return Known(len(obj.base.items))
    if isinstance(obj, Unknown):
        return amounts.len_of(obj)
    return Number(amount=amounts.find_length(obj))


@intrinsic("builtins.max(*values, key=None, default=...)")
def _max(machine: Machine, values: Items, key: Value, default: Value, text: str) -> Value:
    return _extreme(machine, values, key, default, max, text or "max")


@intrinsic("builtins.min(*values, key=None, default=...)")
def _min(machine: Machine, values: Items, key: Value, default: Value, text: str) -> Value:
    return _extreme(machine, values, key, default, min, text or "min")


def _extreme(
    machine: Machine, given: Items, key: Value, default: Value, choose: Callable[[list[Rank]], Rank], text: str
) -> Value:
    """The value with the largest (smallest) rank, a number where the ranks are not known."""
    source = given.items[0] if len(given.items) == 1 else given
    values = list(elements(machine, source))
    if not values:
        return default if is_given(default) and isinstance(source, Items) and not source.open else Number()
    ranks = _ranks(machine, values, key)
    if ranks is not None:
        try:
            return values[ranks.index(choose(ranks))]
        except TypeError:
            return Number()
    if any(isinstance(one, Tensor) for one in values):
        return machine.unknown(text, values)
    return Number()


@intrinsic("builtins.any(iterable, /)")
def _any(machine: Machine, iterable: Value) -> Value:
    return _quantify(machine, iterable, any, decisive=True)


@intrinsic("builtins.all(iterable, /)")
def _all(machine: Machine, iterable: Value) -> Value:
    return _quantify(machine, iterable, all, decisive=False)


def _quantify(
    machine: Machine, iterable: Value, quantifier: Callable[[Iterable[bool]], bool], *, decisive: bool
) -> Value:
    """`any` or `all` of elements; one of them that is `decisive` is enough."""
    values = list(elements(machine, iterable))
    known = [bool(one.value) for one in values if isinstance(one, Known)]
    whole = len(known) == len(values) and isinstance(iterable, Items) and not iterable.open
    return Known(quantifier(known)) if decisive in known or whole else Number()
