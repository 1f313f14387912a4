"""What an error of a trial run is: a fault of the inputs, a limit of running without data, or the thing looked for."""

from __future__ import annotations

import re
from collections import Counter

from inplace_lsp.verify.messages import MESSAGES

_WITHOUT_DATA = re.compile(r"\bmeta\b|data-dependent|data dependent|FakeTensor|UntypedStorage", re.IGNORECASE)
_LEAF = re.compile(r"\bleaf\b")
_NUMBER = re.compile(r"(?<![A-Za-z]{2})\d+")  # not the 1 of `mat1`
_LARGEST = 1 << 16
_QUOTED = re.compile(r"'(\w+)'|\"(\w+)\"")


def without_data(error: str) -> bool:
    """Whether only the lack of data ended the run: with data it may go on."""
    return _WITHOUT_DATA.search(error) is not None


def about_in_place(error: str) -> bool:
    """Whether torch refused a write in place: such a run is worth doing for real."""
    return any(words in error for words in MESSAGES)


def about_leaves(error: str) -> bool:
    """Whether it is about a tensor being a leaf, or not being one."""
    return _LEAF.search(error) is not None


def numbers(error: str) -> tuple[int, ...]:
    """The whole numbers of a message, each once: first what it says more often, as what was wanted and what was got."""
    found = [int(one) for one in _NUMBER.findall(error) if len(one) < 6]
    times = Counter(one for one in found if one < _LARGEST)
    return tuple(sorted(times, key=lambda one: -times[one]))


def quoted(error: str) -> tuple[str, ...]:
    """The names that a message quotes."""
    return tuple(dict.fromkeys(one or other for one, other in _QUOTED.findall(error)))
