"""Find repetition in a sequence: the rounds of loops, without knowing the program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

LONGEST = 400
"""Maximum length of a round, in entries."""
FEWEST = 3
"""Minimum number of adjacent equal rounds to fold: fewer are quicker to read than to unfold."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """`length` entries that occur `times` in a row, the first time in `first`. Parts may be such rounds themselves."""

    first: tuple[Part, ...]
    rest: tuple[Part, ...]
    times: int


Part = int | Repetition
"""A place in the sequence, or rounds of places."""


def fold_rounds(signatures: Sequence[Hashable]) -> list[Part]:
    """Return the indices of `signatures` in order with equal rounds folded, inner ones first."""
    numbers: dict[Hashable, int] = {}
    tokens = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
    parts: list[Part] = list(range(len(tokens)))
    while (length := _find_shortest_round(tokens)) is not None:
        tokens, parts = _fold_length(tokens, parts, length, numbers)
    return parts


def _find_shortest_round(tokens: Sequence[int]) -> int | None:
    """Return the length of the shortest round that occurs often enough in a row."""
    for length in sorted(_find_distances(tokens)):
        if _find_first_run(tokens, length, 0) is not None:
            return length
    return None


def _find_distances(tokens: Sequence[int]) -> set[int]:
    """Return the distances between equal neighbours: no round can have another length."""
    last: dict[int, int] = {}
    found: Counter[int] = Counter()
    for at, token in enumerate(tokens):
        if token in last:
            found[at - last[token]] += 1
        last[token] = at
    return {length for length, times in found.items() if length <= LONGEST and times >= length * (FEWEST - 1)}


def _find_first_run(tokens: Sequence[int], length: int, start: int) -> tuple[int, int] | None:
    """Return where, from `start` on, rounds of `length` begin, and how many follow each other."""
    same = 0
    for at in range(start, len(tokens) - length):
        same = same + 1 if tokens[at] == tokens[at + length] else 0
        ends = at + 1 == len(tokens) - length or tokens[at + 1] != tokens[at + 1 + length]
        if ends and same >= length * (FEWEST - 1):
            return at - same + 1, same // length + 1
    return None


def _fold_length(
    tokens: list[int], parts: list[Part], length: int, numbers: dict[Hashable, int]
) -> tuple[list[int], list[Part]]:
    """Replace all rounds of `length` by an entry each."""
    new_tokens: list[int] = []
    new_parts: list[Part] = []
    done = 0
    while (run := _find_first_run(tokens, length, done)) is not None:
        start, times = run
        end = start + length * times
        again = Repetition(tuple(parts[start : start + length]), tuple(parts[start + length : end]), times)
        signature = ("again", *tokens[start : start + length])
        new_tokens += [*tokens[done:start], numbers.setdefault(signature, len(numbers))]
        new_parts += [*parts[done:start], again]
        done = end
    return new_tokens + tokens[done:], new_parts + parts[done:]
