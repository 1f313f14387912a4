"""Python's iterators: they take turns with the loop over them where what they are made of is a generator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TypeGuard

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.iteration import MOST, elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import amounts
from inplace_lsp.interpret.state.values import (
    Amount,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Mapped,
    Number,
    Suspended,
    Value,
    integer_of,
    is_given,
)
from inplace_lsp.interpret.torch_api import copying

IN_TURNS = frozenset(f"builtins.{name}" for name in ("enumerate", "zip", "map", "filter", "iter"))
"""Functions that ask for an element of their arguments only when they are asked for one themselves."""
FEW = 4
"""Numbers of a range that are all told apart; of a longer one the first `PASSES` stand for all."""
PASSES = 3

LENGTHS = "a program that runs has columns of the same length"


@intrinsic("builtins.range(*bounds)")
def _range(machine: Machine, bounds: Items) -> Value:
    """A few numbers: all where few are known, else the first ones, which stand for all."""
    known = [integer_of(one) for one in bounds.items]
    if known and None not in known and 0 not in known[2:]:
        numbers = range(*[one for one in known[:3] if one is not None])
        if len(numbers) <= FEW:
            return Items("list", [Known(n) for n in numbers])
        last = Amount(None, numbers[-1]) if numbers.step == 1 else None
        passes = amounts.number_passes(PASSES, last)
        return Items("list", [Number(hint=n, amount=one) for n, one in zip(numbers, passes, strict=False)], open=True)
    start = known[0] if len(known) > 1 else 0
    step = known[2] if len(known) > 2 else 1
    if start is None or not step:
        return Items("list", [Number() for _ in range(PASSES)])
    stop = amounts.find_amount(bounds.items[min(1, len(bounds.items) - 1)]) if step == 1 else None
    passes = amounts.number_passes(PASSES, amounts.add(stop, -1))
    found = Items("list", [Number(hint=start + i * step, amount=amount) for i, amount in enumerate(passes)])
    amounts.give_length(found, amounts.add(stop, -start))
    return found


@intrinsic("builtins.enumerate(iterable, start=0)")
def _enumerate(machine: Machine, iterable: Value, start: Value) -> Value:
    iterable = _call_iter(machine, iterable)
    first = integer_of(start) or 0
    if is_awaited(iterable):
        numbers = count(first)
        return Mapped(iterable, lambda item: Items("tuple", [Known(next(numbers)), item]))
    exact = isinstance(iterable, (Items, Container, Known)) and not getattr(iterable, "open", False)
    met = list(elements(machine, iterable))
    passes = amounts.number_passes(len(met), amounts.add(amounts.find_length(iterable), first - 1))
    pairs: list[Value] = [
        Items("tuple", [Known(at, amount) if exact else Number(hint=at, amount=amount), item])
        for at, (item, amount) in enumerate(zip(met, passes, strict=True), first)
    ]
    return Items("iterator", pairs)


def is_awaited(value: Value) -> TypeGuard[Suspended | Mapped]:
    """Whether it is a generator that has not run: it takes turns with the loop over what is made of it."""
    return isinstance(value, Mapped) or (isinstance(value, Suspended) and value.walked is None)


def _call_iter(machine: Machine, value: Value) -> Value:
    """What the `__iter__` of an object gives: it may be a generator that takes turns."""
    if isinstance(value, Instance) and isinstance(value.cls.lookup("__iter__"), Function):
        return machine.call(machine.attribute(value, "__iter__"), [], {})
    return value


def _map_in_turns(machine: Machine, columns: list[Value], make: Callable[[list[Value]], Value]) -> Mapped | None:
    """What `make` makes of a row of elements, as a loop asks for them; None if no column is a generator to wait for.

    The first generator is run in turns with the loop, the others before it.
    """
    leader = next((one for one in columns if is_awaited(one)), None)
    if leader is None:
        return None
    others = {at: _draw(machine, one) for at, one in enumerate(columns) if one is not leader}

    def row(item: Value) -> Value | None:
        parts = [next(others[at], None) if at in others else item for at in range(len(columns))]
        known = [part for part in parts if part is not None]
        return make(known) if len(known) == len(parts) else None

    return Mapped(leader, row)


def _draw(machine: Machine, column: Value) -> Iterator[Value]:
    """The elements, as many as are asked for of one without end (`count()`)."""
    yield from list(elements(machine, column))
    while isinstance(column, Items) and column.open and column.more is not None:
        yield column.more()


def _rows(machine: Machine, columns: list[Value]) -> list[list[Value]]:
    """The columns put together, as long as the shortest whose end is known; of others more elements are made up."""
    taken = [list(elements(machine, one)) for one in columns]
    ends = [len(c) for c, one in zip(taken, columns, strict=True) if c and not (isinstance(one, Items) and one.open)]
    length = min(ends or [len(c) for c in taken if c], default=0)
    for column, one in zip(taken, columns, strict=True):
        more = one.more if isinstance(one, Items) else None
        column += [more() if more is not None else machine.unknown("element") for _ in range(length - len(column))]
    return [[column[at] for column in taken] for at in range(length)]


@intrinsic("builtins.zip(*iterables, strict=False)", strict=LENGTHS)
def _zip(machine: Machine, iterables: Items) -> Value:
    columns = [_call_iter(machine, one) for one in iterables.items]
    waiting = _map_in_turns(machine, columns, lambda row: Items("tuple", row))
    if waiting is not None:
        return waiting
    rows = Items("iterator", [Items("tuple", row) for row in _rows(machine, columns)])
    amounts.give_length(rows, _find_least([amounts.find_length(column) for column in columns]))
    return rows


def _find_least(lengths: list[Amount | None]) -> Amount | None:
    """Return the least of some lengths, None where it is not known which that is."""
    known = [one for one in lengths if one is not None]
    same = len(known) == len(lengths) and len({id(one.base) for one in known}) == 1
    return min(known, key=lambda one: one.more) if same else None


@intrinsic("builtins.map(function, iterable, /, *iterables, strict=False)", strict=LENGTHS)
def _map(machine: Machine, function: Value, iterable: Value, iterables: Items, text: str) -> Value:
    columns = [_call_iter(machine, one) for one in (iterable, *iterables.items)]
    waiting = _map_in_turns(machine, columns, lambda row: machine.call(function, row, {}, text))
    return waiting or Items("iterator", [machine.call(function, row, {}, text) for row in _rows(machine, columns)])


@intrinsic("builtins.filter(function, iterable, /)")
def _filter(machine: Machine, function: Value, iterable: Value, text: str) -> Value:
    def keep(item: Value) -> Value | None:
        if isinstance(function, Known):  # `filter(None, items)`: those that are true
            return item if not isinstance(item, Known) or item.value else None
        return item if machine.truth(machine.call(function, [item], {}, text)) else None

    iterable = _call_iter(machine, iterable)
    if is_awaited(iterable):
        return Mapped(iterable, keep)
    return Items("iterator", [item for item in elements(machine, iterable) if keep(item) is not None])


@intrinsic("builtins.reversed(sequence, /)")
def _reversed(machine: Machine, sequence: Value) -> Value:
    return Items("iterator", list(reversed(list(elements(machine, sequence)))))


@intrinsic("builtins.iter(object, sentinel=..., /)")
def _iter(machine: Machine, object: Value, sentinel: Value) -> Value:
    if is_given(sentinel):
        return Items("iterator", [], open=True, more=lambda: machine.call(object, [], {}))
    value = _call_iter(machine, object)
    if value is not object or not isinstance(value, Items) or value.kind in ("iterator", "generator"):
        return value
    return Items("iterator", list(value.items), value.open, more=value.more)


@intrinsic("builtins.next(iterator, default=..., /)")
def _next(machine: Machine, iterator: Value, default: Value, text: str) -> Value:
    if not isinstance(iterator, Items):
        return next(iter(elements(machine, iterator)), machine.unknown(text))
    if iterator.items:
        item = iterator.items.pop(0)
        if not iterator.items and not iterator.open:  # more like it may come, in memory of their own
            iterator.more = lambda: copying.deep(machine, item) or machine.unknown(text)
        return item
    if is_given(default) and not iterator.open:
        return default
    return iterator.more() if iterator.more is not None else machine.unknown(text)


@intrinsic("itertools.count(start=0, step=1)")
def _count(machine: Machine, start: Value, step: Value) -> Value:
    first, by = integer_of(start), integer_of(step)
    numbers = count(first, by) if first is not None and by is not None else None

    def more() -> Value:
        return Number(hint=next(numbers)) if numbers is not None else Number()

    return Items("iterator", [more(), more()], open=True, more=more)


@intrinsic("itertools.repeat(object, times=...)")
def _repeat(machine: Machine, object: Value, times: Value) -> Value:
    known = integer_of(times)
    if known is not None:
        return Items("iterator", [object] * max(0, min(known, MOST)))
    return Items("iterator", [object] * 2, open=True, more=lambda: object)


@intrinsic("itertools.cycle(iterable, /)")
def _cycle(machine: Machine, iterable: Value) -> Value:
    items = list(elements(machine, iterable))
    places = count()
    more = (lambda: items[next(places) % len(items)]) if items else None
    return Items("iterator", list(items), open=True, more=more)
