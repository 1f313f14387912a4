"""What a missing library of progress bars gives: the elements of a loop, in a bar that shows nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_BARS = frozenset({"tqdm", "track"})
"""Functions that give back the elements of their first argument, and show how far a loop has come."""
_COUNTS = frozenset({"trange"})
"""Functions that give the numbers of a range so."""


class Bar:
    """The elements of a loop. What a program asks of the bar besides shows nothing."""

    def __init__(self, elements: Any) -> None:
        self._elements = elements
        self.n = 0

    def __iter__(self) -> Iterator[Any]:
        return iter(self._elements)

    def __len__(self) -> int:
        return len(self._elements)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        held = getattr(self.__dict__.get("_elements"), name, None)
        return held if held is not None else _show_nothing


def _show_nothing(*_what: object, **_how: object) -> None:
    return None


def make_bar(word: str, args: Sequence[Any], kwargs: Mapping[str, object]) -> Bar | None:
    """Return the bar that a call of a library's function gives; None of another function."""
    if word in _COUNTS and args:
        return Bar(range(*args[:3]))
    if word in _BARS:
        return Bar(args[0] if args else kwargs.get("iterable", ()))
    return None
