"""Compute the order in which Python searches the bases of a class (C3 method resolution order)."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def merge_lineages(bases: Sequence[T], lineages: Sequence[tuple[T, ...]]) -> list[T]:
    """Merge the `lineages` of `bases` into one order that contradicts none of them. If there is none, and Python would
    refuse the class, the first base takes precedence."""
    if len(bases) == 1:
        return list(lineages[0])
    orders = [*lineages, tuple(bases)]
    merged: dict[T, None] = {}
    waiting = [deque(order) for order in orders if order]
    behind = Counter(later for order in orders for later in order[1:])
    while waiting:
        nearest = next((order[0] for order in waiting if not behind[order[0]]), waiting[0][0])
        merged[nearest] = None
        for order in waiting:
            if order[0] is nearest:
                order.popleft()
                behind.subtract(islice(order, 1))
        waiting = [order for order in waiting if order]
    return list(merged)
