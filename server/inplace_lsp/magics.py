"""IPython's own syntax in the cells of a notebook, made Python line for line.

As IPython does it: a line is a magic only where a statement can begin, not inside brackets, a string or a line that a
backslash continues; and a magic goes on behind a backslash at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_MAGIC = re.compile(r"^(\s*)([%!?]|[\w.*]+\?{1,2}\s*$)")
_ASSIGNED = re.compile(r"""^([^=#'"]+=\s*)([%!])""")
_INDENT = re.compile(r"^([ \t\f]*)")
_PYTHON_CELL = re.compile(r"\s*%%(time|timeit|capture|prun|debug|memit)\b")
_TOKEN = re.compile(r"""(?P<quote>\"\"\"|'''|["'])|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comment>\#)|\\.""")
_ENDS = {quote: re.compile(rf"(?s:\\.|(?!{quote})[^\\])*({quote})?") for quote in ('"""', "'''", '"', "'")}


@dataclass(frozen=True, slots=True)
class _State:
    """Where a line ends: in how many brackets, in a string with which quotes, behind a backslash, in a magic."""

    depth: int = 0
    quote: str = ""
    continued: bool = False
    in_magic: bool = False

    @property
    def begins_statement(self) -> bool:
        """Whether the next line can begin a statement."""
        return not (self.depth or self.quote or self.continued)


def as_python(lines: Sequence[str]) -> str:
    """Return the text of a cell as Python, line for line; its last line gets its end."""
    if not lines:
        return "\n"
    return "".join(lines_as_python([*lines[:-1], _with_line_end(lines[-1])]))


def lines_as_python(lines: Sequence[str]) -> list[str]:
    """Return the lines of a cell as Python.

    Magics and commands become comments, what is assigned from them the result of an unknown call. A cell magic (except
    `%%time` and others with a Python body) makes the whole cell comments.
    """
    if _is_no_python(lines):
        return ["#" + line for line in lines]
    if not any(_MAGIC.match(line) or _ASSIGNED.match(line) for line in lines):
        return list(lines)
    return list(_replace_magics(lines))


def _is_no_python(lines: Sequence[str]) -> bool:
    first = next((line for line in lines if line.strip()), "")
    return first.lstrip().startswith("%%") and _PYTHON_CELL.match(first) is None


def _replace_magics(lines: Sequence[str]) -> Iterator[str]:
    state = _State()
    for line in lines:
        if state.begins_statement:
            made = _ASSIGNED.sub(r"\1get_ipython() #\2", _MAGIC.sub(r"\1pass #\2", line))
        else:
            made = _INDENT.sub(r"\1#", line) if state.in_magic else line
        yield made
        if made != line:
            continued = line.rstrip("\r\n").endswith("\\")
            state = _State(continued=continued, in_magic=continued)
        else:
            state = _scan_line(line, state)


def _scan_line(line: str, state: _State) -> _State:
    """Return the state behind a line of Python that begins in `state`."""
    text = line.rstrip("\r\n")
    at, depth, quote = 0, state.depth, state.quote
    while at < len(text):
        if quote:
            at, quote = _skip_string(text, at, quote)
            continue
        found = _TOKEN.search(text, at)
        if found is None:
            break
        if found["comment"]:
            return _State(depth)
        at, quote = found.end(), found["quote"] or ""
        depth = max(0, depth + bool(found["open"]) - bool(found["close"]))
    continued = text.endswith("\\")
    return _State(depth, quote if continued or len(quote) > 1 else "", continued)


def _skip_string(text: str, at: int, quote: str) -> tuple[int, str]:
    """Return the position behind the string, and its quotes if it goes on in the next line."""
    found = _ENDS[quote].match(text, at)
    if found is None or found[1] is None:
        return len(text), quote
    return found.end(), ""


def _with_line_end(line: str) -> str:
    return line if line.endswith(("\n", "\r")) else line + "\n"
