"""Shapes that docstrings and comments tell: `x: (B, T, C)`, `input (Tensor): images of shape [N, 3, H, W]`."""

from __future__ import annotations

import re

_SHAPE = re.compile(r"[(\[]\s*((?:[\w*.+/-]+\s*[,x×]\s*)+[\w*.+/-]*|[A-Z]\w?)\s*[)\]]")
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
        mention = _MENTION.match(line)
        if mention is not None and mention[1] in names:
            current, left = mention[1], _LINES
        elif mention is not None and mention[1].lower() in ("input", "inputs") and names and names[0] not in found:
            current, left = names[0], 1
        elif mention is not None and line.strip().lower().startswith(("return", "output", "args", "- output")):
            current = ""
        if current and left > 0 and current not in found:
            dims = _dims_in_line(line)
            if dims:
                found[current] = dims
        left -= 1
    return found


def _dims_in_line(line: str) -> tuple[str, ...]:
    for match in _SHAPE.finditer(line):
        words = tuple(word.strip() for word in re.split(r"[,x×]", match[1]) if word.strip())
        if words and not any(word.lower().split(".")[-1] in _NO_DIMS for word in words):
            return tuple("..." if set(word) <= {"*", "."} else word for word in words)
    return ()
