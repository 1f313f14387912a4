"""What a missing library of progress bars gives: the elements of a loop, in a bar that shows nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
from typing import Any

_BARS = frozenset({"tqdm", "track"})
"""Functions that give back the elements of their first argument, and show how far a loop has come."""
_COUNTS = frozenset({"trange"})
"""Functions that give the numbers of a range so."""


_SHOWING = frozenset(
    "clear close display moveto refresh set_description set_description_str set_postfix set_postfix_str unpause "
    "write".split()
)
"""Methods of a bar that only show something: they are the bar's, also where the elements have one of that name."""


class Bar:
    """The elements of a loop, and how many are done. What a program asks of the bar besides shows nothing."""

    def __init__(self, elements: Any, total: Any = None) -> None:
        self._elements = elements
        self.n: Any = 0
        self.total: Any
        if total is not None:
            self.total = total

    def __iter__(self) -> Iterator[Any]:
        for element in self._elements:
            yield element
            self.n += 1

    def __len__(self) -> int:
        return len(self._elements) if self._elements is not None else int(self.__dict__.get("total", 0))

    def update(self, n: Any = 1) -> None:
        """Note that `n` more are done."""
        self.n += n

    def reset(self, total: Any = None) -> None:
        """Begin again."""
        self.n = 0
        if total is not None:
            self.total = total

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in _SHOWING:
            return _show_nothing
        if name == "total":
            return len(self) if isinstance(self.__dict__.get("_elements"), Sized) else None
        held = getattr(self.__dict__.get("_elements"), name, None)
        return held if held is not None else _show_nothing


def _show_nothing(*_what: object, **_how: object) -> None:
    return None


def make_bar(word: str, args: Sequence[Any], kwargs: Mapping[str, object]) -> Bar | None:
    """Return the bar that a call of a library's function gives; None of another function."""
    if word in _COUNTS and args:
        return Bar(range(*args[:3]))
    if word in _BARS:
        return Bar(args[0] if args else kwargs.get("iterable"), kwargs.get("total"))
    return None
