"""How far the gradients of the plain run are off: those of the recorded run were computed from the values saved."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from inplace_lsp.messages.answers import Gradient

Walks = Sequence[Sequence[Gradient]]


def largest_difference(plain: Walks, recorded: Walks) -> str:
    """Return the largest difference in words; "" without one, or if the runs cannot be compared."""
    off = max(_leaf_differences(plain, recorded), key=lambda difference: difference[0], default=None)
    if off is None or off[0] == 0:
        return ""
    relative, absolute, name = off
    of = f"`{name}`" if name else "a leaf"
    share = f"{relative:.0%} of its norm" if math.isfinite(relative) else "all of it"
    return f"the gradient of {of} is off by {share} (at most {absolute:.3g} in one element)"


def _leaf_differences(plain: Walks, recorded: Walks) -> Iterator[tuple[float, float, str]]:
    """For each leaf of each walk: relative and largest absolute difference, and the leaf's name."""
    for walk, true_walk in zip(plain, recorded, strict=False):
        if [leaf.shape for leaf in walk] != [leaf.shape for leaf in true_walk]:
            return
        for plain_leaf, true in zip(walk, true_walk, strict=True):
            yield _compare_leaf(plain_leaf.numbers, true.numbers, plain_leaf.name or true.name)


def _compare_leaf(numbers: Sequence[float], true: Sequence[float], name: str) -> tuple[float, float, str]:
    apart = [abs(a - b) for a, b in zip(numbers, true, strict=True) if not (math.isnan(a) and math.isnan(b))]
    largest = max(apart, default=0.0)
    length = math.hypot(*true)
    return (math.hypot(*apart) / length if length else math.inf if largest else 0.0), largest, name
