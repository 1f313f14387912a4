"""What an error of a trial run is: a fault of the inputs, a limit of running without data, or the thing looked for."""

from __future__ import annotations

import re
from collections import Counter

from inplace_lsp.tape.errors_of_torch import MESSAGES

_WITHOUT_DATA = re.compile(
    r"\bmeta\b|data-dependent|data dependent|FakeTensor|UntypedStorage|incompatible tensor type", re.IGNORECASE
)
_LEAF = re.compile(r"\bleaf\b")
_NUMBER = re.compile(r"(?<![A-Za-z]{2})(?<![\d.])(?<!e[-+])\d+(?!\.?\d)")  # not the 1 of `mat1`, and no fraction
_LARGEST = 1 << 16
_QUOTED = re.compile(r"'(\w+)'|\"(\w+)\"")


def is_lack_of_data(error: str) -> bool:
    """Return whether only the lack of data ended the run: with data it may go on."""
    return _WITHOUT_DATA.search(error) is not None


def is_telling(error: str) -> bool:
    """Return whether an error says what it expected: without data, a convolution does not name its channels."""
    return "Invalid channel dimensions" not in error


def is_about_in_place(error: str) -> bool:
    """Return whether torch refused a write in place: such a run is worth doing for real."""
    return any(words in error for words in MESSAGES)


def is_about_leaves(error: str) -> bool:
    """Return whether the error is about a tensor that is or is not a leaf."""
    return _LEAF.search(error) is not None


def numbers_in(error: str) -> tuple[int, ...]:
    """Return the whole numbers of a message, each once, the most frequent first: it names what it wanted and what it
    got."""
    found = [int(match) for match in _NUMBER.findall(error) if len(match) < 6]
    times = Counter(number for number in found if number < _LARGEST)
    return tuple(sorted(times, key=lambda time: -times[time]))


def quoted_names(error: str) -> tuple[str, ...]:
    """Return the names that a message quotes."""
    return tuple(dict.fromkeys(single or other for single, other in _QUOTED.findall(error)))


def about_missing_module(error: str) -> bool:
    """Return whether the function itself needs a module that is not installed: no other inputs will bring that."""
    kind, _, words = error.partition(": ")
    return kind.endswith("StandInError") and words.startswith("the module ")
