"""How far the gradients of the plain run are off: those of the recorded run were computed from the values saved."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Walks = Sequence[Sequence[Mapping[str, Any]]]


def difference(plain: Walks, recorded: Walks) -> str:
    """The largest difference in words; "" if there is none or the runs cannot be compared."""
    off = max(_differences(plain, recorded), key=lambda one: one[0], default=None)
    if off is None or off[0] == 0:
        return ""
    relative, absolute, name = off
    of = f"`{name}`" if name else "a leaf"
    share = f"{relative:.0%} of its length" if math.isfinite(relative) else "all of it"
    return f"the gradient of {of} is off by {share} (at most {absolute:.3g} in one element)"


def _differences(plain: Walks, recorded: Walks) -> Iterator[tuple[float, float, str]]:
    """For each leaf of each walk: relative and largest absolute difference, and the leaf's name."""
    for walk, true_walk in zip(plain, recorded, strict=False):
        if [one["shape"] for one in walk] != [one["shape"] for one in true_walk]:
            return
        for one, true in zip(walk, true_walk, strict=True):
            yield _difference(one["numbers"], true["numbers"], one["name"] or true["name"])


def _difference(numbers: Sequence[float], true: Sequence[float], name: str) -> tuple[float, float, str]:
    apart = [abs(a - b) for a, b in zip(numbers, true, strict=True) if not (math.isnan(a) and math.isnan(b))]
    largest = max(apart, default=0.0)
    length = math.hypot(*true)
    return (math.hypot(*apart) / length if length else math.inf if largest else 0.0), largest, name
