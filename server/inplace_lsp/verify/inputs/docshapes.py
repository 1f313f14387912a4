"""Shapes that docstrings and comments tell: `x: (B, T, C)`, `input (Tensor): images of shape [N, 3, H, W]`."""

from __future__ import annotations

import re
from collections.abc import Container

_WORD = r"[\w*.+/-]+(?:\(\d+\))?"
_BETWEEN = r"(?:[,×]|(?<![a-z])x(?![a-z]))"
"""What stands between sizes: an `x`, but not that of a word."""
_SHAPE = re.compile(rf"[(\[]\s*((?:{_WORD}\s*{_BETWEEN}\s*)+(?:{_WORD})?|[A-Z]\w?)\s*[)\]]")
_ONE = re.compile(r"[:=]\s*\[\s*([a-z_]\w*)\s*\]\s*$")
"""A line that tells one dimension, and nothing else."""
_MENTION = re.compile(
    r"^\s*[-*#]*\s*(?::param\s+(?:\w+\s+)?|:arg\s+)?[`'\"*]*(\w+)[`'\"*]*\s*(?:\([^)]*\)|\[[^\]]*\])?\s*[:=-]"
)
_NO_DIMS = frozenset(
    "optional default tensor torch int float str bool list tuple none true false any union callable module".split()
)
_LINES = 4


def find_shapes(text: str, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the dims told for each of `names`, as words; `...` where a text has `*` or dots."""
    found: dict[str, tuple[str, ...]] = {}
    current = ""
    left = 0
    for line in text.split("\n"):
        current, left = _find_subject(line, names, found) or (current, left)
        dims = _dims_in_line(line) if left > 0 and current and current not in found else ()
        if dims:
            found[current] = dims
        left -= 1
    return found


def _find_subject(line: str, names: tuple[str, ...], found: Container[str]) -> tuple[str, int] | None:
    """Return the name that a line begins to speak of ("" for none), and for how many lines; None if it goes on."""
    mention = _MENTION.match(line)
    if mention is None:
        return None
    if mention[1] in names:
        return mention[1], _LINES
    if mention[1].lower() in ("input", "inputs") and names and names[0] not in found:
        return names[0], 1
    return ("", 0) if line.strip().lower().startswith(("return", "output", "args", "- output")) else None


def _dims_in_line(line: str) -> tuple[str, ...]:
    for match in (*_SHAPE.finditer(line), *_ONE.finditer(line)):
        parts = re.split(_BETWEEN, match[1])
        words = tuple(part.strip().partition("(")[0] for part in parts if part.strip())
        if words and not any(word.lower().split(".")[-1] in _NO_DIMS for word in words):
            return tuple("..." if set(word) <= {"*", "."} else word for word in words)
    return ()
