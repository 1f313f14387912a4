"""`heapq`: a list of which the smallest element comes first, as far as the ranks of its elements are known."""

from __future__ import annotations

from inplace_lsp.interpret.machine.iteration import elements
from inplace_lsp.interpret.machine.machine import Handler, Machine
from inplace_lsp.interpret.state.values import NONE, Items, Known, Value


def _rank(value: Value) -> list[int | float]:
    """What the element is compared by: a number, or the known numbers that a tuple begins with."""
    rank: list[int | float] = []
    for part in value.items if isinstance(value, Items) else [value]:
        if not isinstance(part, Known) or not isinstance(part.value, int | float):
            break
        rank.append(part.value)
    return rank


def _ordered(items: list[Value]) -> list[Value]:
    """Smallest first; where a rank is not known, as they are."""
    return sorted(items, key=_rank) if all(map(_rank, items)) else items


def _pushed(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if len(arguments) == 2 and isinstance(arguments[0], Items):
        arguments[0].items.append(arguments[1])
    return NONE


def _popped(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    heap = arguments[0] if arguments else NONE
    if not isinstance(heap, Items) or not heap.items:
        return machine.unknown(text or "an element")
    smallest = _ordered(heap.items)[0]
    heap.items.remove(smallest)
    return smallest


def _pushed_and_popped(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    _pushed(machine, arguments, keywords, text)
    return _popped(machine, arguments, keywords, text)


def _replaced(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    smallest = _popped(machine, arguments, keywords, text)
    _pushed(machine, arguments, keywords, text)
    return smallest


def _in_order(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`heapify` puts the smallest first."""
    if arguments and isinstance(arguments[0], Items):
        arguments[0].items[:] = _ordered(arguments[0].items)
    return NONE


def _extremes(*, largest: bool) -> Handler:
    """`nlargest(n, items, key)`, `nsmallest(...)`."""

    def run(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
        given = dict(zip(("n", "iterable", "key"), arguments, strict=False)) | keywords
        items = list(elements(machine, given.get("iterable", NONE)))
        key, count = given.get("key", NONE), given.get("n", NONE)
        ranks = [_rank(one if key is NONE else machine.call(key, [one], {}, text)) for one in items]
        if not all(ranks) or not isinstance(count, Known) or not isinstance(count.value, int):
            return Items("list", items, open=True)
        order = sorted(range(len(items)), key=ranks.__getitem__, reverse=largest)
        return Items("list", [items[at] for at in order[: count.value]])

    return run


FUNCTIONS: dict[str, Handler] = {
    "heapq.heappush": _pushed,
    "heapq.heappop": _popped,
    "heapq.heappushpop": _pushed_and_popped,
    "heapq.heapreplace": _replaced,
    "heapq.heapify": _in_order,
    "heapq.nlargest": _extremes(largest=True),
    "heapq.nsmallest": _extremes(largest=False),
}
