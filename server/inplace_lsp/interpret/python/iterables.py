"""Model Python's iterators. Over a generator that has not run, they take turns with the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TypeGuard

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.iteration import MOST, find_elements, find_length
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import relative_numbers
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
    Tensor,
    Value,
    find_integer,
    is_given,
)
from inplace_lsp.interpret.torch_api import copying

IN_TURNS = frozenset(f"builtins.{name}" for name in ("enumerate", "zip", "map", "filter", "iter"))
"""Functions that take an element from their arguments only when one is taken from their result."""
FEW = 4
"""The length up to which all numbers of a range are listed; of a longer one the first `PASSES` stand for all."""
PASSES = 3

LENGTHS = "a program that runs has columns of the same length"


@intrinsic("builtins.range(*bounds)")
def _make_range(machine: Machine, bounds: Items) -> Value:
    """Return the numbers of a short range; for a longer one the first few, which stand for all."""
    known = [find_integer(bound) for bound in bounds.items]
    integers = [bound for bound in known[:3] if bound is not None]
    if known and len(integers) == len(known) and 0 not in known[2:]:
        return _make_known_range(range(*integers))
    start = known[0] if len(known) > 1 else 0
    step = known[2] if len(known) > 2 else 1
    if not known or start is None or not step:
        return Items("list", [Number() for _ in range(PASSES)])
    stop = relative_numbers.find_amount(bounds.items[min(1, len(bounds.items) - 1)]) if step == 1 else None
    passes = relative_numbers.number_passes(PASSES, relative_numbers.add_to_amount(stop, -1))
    found = Items("list", [Number(hint=start + i * step, amount=amount) for i, amount in enumerate(passes)])
    relative_numbers.give_length(found, relative_numbers.add_to_amount(stop, -start))
    return found


def _make_known_range(numbers: range) -> Items:
    """Return the numbers of a range whose bounds are known."""
    if not numbers[FEW:]:  # of a range of more than `sys.maxsize` numbers there is no `len`
        return Items("list", [Known(number) for number in numbers])
    last = Amount(None, numbers[-1]) if numbers.step == 1 else None
    passes = relative_numbers.number_passes(PASSES, last)
    pairs = zip(numbers, passes, strict=False)
    return Items("list", [Number(hint=number, amount=amount) for number, amount in pairs], open=True)


@intrinsic("builtins.enumerate(iterable, start=0)")
def _enumerate_elements(machine: Machine, iterable: Value, start: Value) -> Value:
    iterable = _call_iter(machine, iterable)
    first = find_integer(start) or 0
    if is_awaited(iterable):
        numbers = count(first)
        return Mapped(iterable, lambda item: Items("tuple", [Number(hint=next(numbers)), item]))
    items = list(find_elements(machine, iterable))
    exact = _has_these_elements(iterable, len(items))
    passes = relative_numbers.number_passes(
        len(items), relative_numbers.add_to_amount(find_length(machine, iterable), first - 1)
    )
    pairs: list[Value] = [
        Items("tuple", [Known(at, amount) if exact else Number(hint=at, amount=amount), item])
        for at, (item, amount) in enumerate(zip(items, passes, strict=True), first)
    ]
    return Items("iterator", pairs)


def _has_these_elements(value: Value, known: int) -> bool:
    """Return whether the `known` first elements of a value are all that it has."""
    if isinstance(value, Tensor):
        return value.shape is not None and value.shape[:1] == (known,)
    return isinstance(value, (Items, Container, Known)) and not getattr(value, "open", False)


def is_awaited(value: Value) -> TypeGuard[Suspended | Mapped]:
    """Return whether a value is a generator that has not run, or an iterator over one: it takes turns with its loop."""
    return isinstance(value, Mapped) or (isinstance(value, Suspended) and value.walked is None)


def _call_iter(machine: Machine, value: Value) -> Value:
    """Return what `__iter__` of an object returns: it may be a generator that takes turns."""
    if isinstance(value, Instance) and isinstance(value.cls.look_up("__iter__"), Function):
        return machine.call(machine.get_attribute(value, "__iter__"), [], {})
    return value


def _map_in_turns(machine: Machine, columns: list[Value], make: Callable[[list[Value]], Value]) -> Mapped | None:
    """Return an iterator that applies `make` to each row as the loop asks for it; None if no column is a generator to
    wait for.

    The first generator is run in turns with the loop, the others before it.
    """
    leader = next((column for column in columns if is_awaited(column)), None)
    if leader is None:
        return None
    others = {at: _draw_elements(machine, column) for at, column in enumerate(columns) if column is not leader}

    def make_row(item: Value) -> Value | None:
        parts = [next(others[at], None) if at in others else item for at in range(len(columns))]
        known = [part for part in parts if part is not None]
        return make(known) if len(known) == len(parts) else None

    return Mapped(leader, make_row)


def _draw_elements(machine: Machine, column: Value) -> Iterator[Value]:
    """Yield the elements, without end for an endless iterator (`count()`)."""
    yield from list(find_elements(machine, column))
    while isinstance(column, Items) and column.open and column.more is not None:
        yield column.more()


def _make_rows(machine: Machine, columns: list[Value]) -> list[list[Value]]:
    """Return the rows of the columns, as many as the shortest of known length has; other columns are extended."""
    taken = [list(find_elements(machine, column)) for column in columns]
    pairs = list(zip(taken, columns, strict=True))
    ends = [len(items) for items, column in pairs if items and not (isinstance(column, Items) and column.open)]
    length = min(ends or [len(items) for items in taken if items], default=0)
    for items, column in pairs:
        _extend_column(machine, items, column, length)
    return [[items[at] for items in taken] for at in range(length)]


def _extend_column(machine: Machine, items: list[Value], column: Value, length: int) -> None:
    """Add elements to those taken from a column until there are `length`."""
    more = column.more if isinstance(column, Items) else None
    items += [more() if more is not None else machine.make_unknown("element") for _ in range(length - len(items))]


@intrinsic("builtins.zip(*iterables, strict=False)", strict=LENGTHS)
def _zip_columns(machine: Machine, iterables: Items) -> Value:
    columns = [_call_iter(machine, iterable) for iterable in iterables.items]
    waiting = _map_in_turns(machine, columns, lambda row: Items("tuple", row))
    if waiting is not None:
        return waiting
    rows = Items("iterator", [Items("tuple", row) for row in _make_rows(machine, columns)])
    relative_numbers.give_length(rows, _find_least([relative_numbers.find_length(column) for column in columns]))
    return rows


def _find_least(lengths: list[Amount | None]) -> Amount | None:
    """Return the least of some lengths, None if it is not known which that is."""
    known = [length for length in lengths if length is not None]
    same = len(known) == len(lengths) and len({id(length.base) for length in known}) == 1
    return min(known, key=lambda length: length.more) if same else None


@intrinsic("builtins.map(function, iterable, /, *iterables, strict=False)", strict=LENGTHS)
def _map_columns(machine: Machine, function: Value, iterable: Value, iterables: Items, text: str) -> Value:
    columns = [_call_iter(machine, column) for column in (iterable, *iterables.items)]
    waiting = _map_in_turns(machine, columns, lambda row: machine.call(function, row, {}, text))
    return waiting or Items("iterator", [machine.call(function, row, {}, text) for row in _make_rows(machine, columns)])


@intrinsic("builtins.filter(function, iterable, /)")
def _filter_elements(machine: Machine, function: Value, iterable: Value, text: str) -> Value:
    def select_item(item: Value) -> Value | None:
        if isinstance(function, Known):  # `filter(None, items)` selects the true ones
            return item if not isinstance(item, Known) or item.value else None
        return item if machine.decide_truth(machine.call(function, [item], {}, text)) else None

    iterable = _call_iter(machine, iterable)
    if is_awaited(iterable):
        return Mapped(iterable, select_item)
    return Items("iterator", [item for item in find_elements(machine, iterable) if select_item(item) is not None])


@intrinsic("builtins.reversed(sequence, /)")
def _reverse_sequence(machine: Machine, sequence: Value) -> Value:
    return Items("iterator", list(reversed(list(find_elements(machine, sequence)))))


@intrinsic("builtins.iter(object, sentinel=..., /)")
def _make_iterator(machine: Machine, object: Value, sentinel: Value) -> Value:
    if is_given(sentinel):
        return Items("iterator", [], open=True, more=lambda: machine.call(object, [], {}))
    value = _call_iter(machine, object)
    if value is not object or not isinstance(value, Items) or value.kind in ("iterator", "generator"):
        return value
    return Items("iterator", list(value.items), value.open, more=value.more)


@intrinsic("builtins.next(iterator, default=..., /)")
def _take_next(machine: Machine, iterator: Value, default: Value, text: str) -> Value:
    if not isinstance(iterator, Items):
        return next(iter(find_elements(machine, iterator)), machine.make_unknown(text))
    if iterator.items:
        item = iterator.items.pop(0)
        if not iterator.items and not iterator.open:  # more like it may follow, in their own memory
            iterator.more = lambda: copying.copy_deep(machine, item) or machine.make_unknown(text)
        return item
    if is_given(default) and not iterator.open:
        return default
    return iterator.more() if iterator.more is not None else machine.make_unknown(text)


@intrinsic("itertools.count(start=0, step=1)")
def _count_up(machine: Machine, start: Value, step: Value) -> Value:
    first, by = find_integer(start), find_integer(step)
    numbers = count(first, by) if first is not None and by is not None else None

    def more() -> Value:
        return Number(hint=next(numbers)) if numbers is not None else Number()

    return Items("iterator", [more(), more()], open=True, more=more)


@intrinsic("itertools.repeat(object, times=...)")
def _repeat_object(machine: Machine, object: Value, times: Value) -> Value:
    known = find_integer(times)
    if known is not None:
        return Items("iterator", [object] * max(0, min(known, MOST)))
    return Items("iterator", [object] * 2, open=True, more=lambda: object)


@intrinsic("itertools.cycle(iterable, /)")
def _cycle_elements(machine: Machine, iterable: Value) -> Value:
    items = list(find_elements(machine, iterable))
    places = count()
    more = (lambda: items[next(places) % len(items)]) if items else None
    return Items("iterator", list(items), open=True, more=more)
