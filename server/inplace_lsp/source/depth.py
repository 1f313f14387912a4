"""Measure the nesting depth of a text without parsing it.

libcst's parser is recursive native code: what is nested too deeply would not raise but end the process, and long chains
cost it quadratic time. CPython itself refuses more than 200 brackets, and expressions of some thousand operators.
"""

from __future__ import annotations

import re

MAX_BRACKETS = 200
MAX_PATTERN_BRACKETS = 7
"""Brackets in each other in a `case`: libcst needs 0.1 s for eight, 20 s for twelve."""
MAX_LINKS = 400
"""Operators, attributes, calls and subscripts in a row, on the way from the statement to its innermost bracket."""
MAX_BRANCHES = 200
"""`elif` in one function; each is nested in the one before."""
_SHORTEST = 16

_TOKEN = re.compile(
    r"""\#[^\n]*|\\\n
    |(?P<link>\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'
        |[-+*/%@&|^~<>.]|\b(?:not|lambda|else|and|or|in|is|await)\b)
    |(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<separator>[,;])|(?P<elif>\belif\b)|(?P<def>\bdef\b)
    |(?P<case>\n[ \t]*case(?=[ \t]+[^=\s]|[(\[{]))|(?P<line>\n)""",
    re.VERBOSE | re.DOTALL,
)


def is_nested_too_deeply(text: str) -> bool:
    """Return whether `text` is nested too deeply, or has too long a chain, to be parsed safely."""
    outer: list[int] = []  # the links of the brackets around
    links = above = branches = 0  # of this bracket; of all around; `elif`s
    limit = MAX_BRACKETS
    for match in _TOKEN.finditer(text) if len(text) > _SHORTEST else ():
        kind = match.lastgroup
        if kind == "link":
            links += 1
        elif kind == "open":
            outer.append(links + 1)
            above += links + 1
            links = 0
        elif kind == "close":
            links = outer.pop() if outer else 0
            above -= links
        elif kind == "separator":
            links = 0
        elif kind in ("line", "case") and not outer:
            links, limit = 0, MAX_PATTERN_BRACKETS if kind == "case" else MAX_BRACKETS
        elif kind == "elif":
            branches += 1
        elif kind == "def":
            branches = 0
        if len(outer) > limit or above + links > MAX_LINKS or branches > MAX_BRANCHES:
            return True
    return False
