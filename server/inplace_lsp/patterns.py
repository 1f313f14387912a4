"""Match file patterns as in .gitignore, in a time that no pattern can stretch.

pathspec translates a pattern to a regular expression, in which every `*` may backtrack: `*a*a*a*a*a*a*b` takes half a
minute for a name of sixty letters. None has to: at the first match of the next letters, the rest of the pattern has the
most room (`fnmatch` of the standard library relies on that, too). So each `*` but the last takes as little as it can,
and keeps it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_STAR = "[^/]*"
_FOLDERS = "(?:/.+)?"
"""What pathspec makes of `*` in a name and of `**` between two; neither can come from anything else in a pattern, as
a name holds no slash."""
_TOKEN = re.compile(r"\\.|\[\^/\]|(\[\^?\]?[^\]]*\])", re.DOTALL)
"""An escaped character, `?`, or what pathspec made of a set of characters."""


class _Pattern(GitIgnoreSpecPattern):
    """A pattern of .gitignore whose regular expression does not backtrack."""

    __slots__ = ()

    @classmethod
    def pattern_to_regex(cls, pattern: str) -> tuple[str | None, bool | None]:  # type: ignore[override]
        """Translate as pathspec does, less what can be tried again."""
        regex, include = super().pattern_to_regex(pattern)
        return (_without_backtracking(regex) if regex else regex), include


def read_patterns(lines: Iterable[str]) -> GitIgnoreSpec:
    """Parse the lines of a .gitignore. Raises ValueError for an invalid line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what a future Python may read in `[[a]`
            return GitIgnoreSpec.from_lines(lines, _Pattern)
    except re.error as error:
        raise ValueError(str(error)) from None


def _without_backtracking(regex: str) -> str:
    """Return an equal expression in which no part is matched twice at the same place."""
    number = 0

    def make_atomic(part: str) -> str:
        """Return an atomic group: Python has `(?>...)` only since 3.11."""
        nonlocal number
        number += 1
        return f"(?=(?P<kept{number}>{part}))(?P=kept{number})"

    def in_names(part: str) -> str:
        first, *rest = part.split(_STAR)
        kept = [make_atomic(f"{_STAR}?{piece}") for piece in rest[:-1]]
        return "".join((first, *kept, *(_STAR + piece for piece in rest[-1:])))

    regex = _TOKEN.sub(lambda token: f"(?!/){token[1]}" if token[1] else token[0], regex)  # as git: no set has a slash
    first, *rest = regex.split(_FOLDERS)
    kept = [make_atomic(f"(?:/.+?)??{in_names(part)}(?=/)") for part in rest[:-1]]
    return "".join((in_names(first), *kept, *(_FOLDERS + in_names(part) for part in rest[-1:])))
