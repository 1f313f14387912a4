"""Suppression comments: `# inplace: ignore`, `# inplace: ignore[IP101, IP201]`, `# inplace: ignore-file`.

Tokens come from parso, which continues after errors: a string that looks like a comment does not count, and a
half-typed file keeps its suppressions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inplace_lsp.tape.model import Span

if TYPE_CHECKING:
    from parso.python.tokenize import PythonToken

_PATTERN = re.compile(r"#\s*inplace:\s*ignore(?P<file>-file)?(?![\w-])\s*(?:\[(?P<codes>[^\]#]*)\])?")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment. Empty `codes` mean every code. It covers the rows of its logical line, or the file.

    `whole`: the span to remove with it: its reason and the white space before it, or its whole line.
    """

    span: Span
    whole: Span
    codes: tuple[str, ...]
    whole_file: bool
    first_row: int
    last_row: int

    def is_covering(self, code: str, span: Span) -> bool:
        """Return whether this comment suppresses a finding of `code` that starts at `span`."""
        in_reach = self.whole_file or self.first_row <= span.row <= self.last_row
        return span.file == self.span.file and in_reach and (not self.codes or code in self.codes)


@dataclass(frozen=True, slots=True)
class _Comment:
    """A comment. `margin`: the width of the white space before it; `alone`: nothing else is on its line."""

    text: str
    row: int
    column: int
    margin: int
    alone: bool


def find_suppressions(text: str, filename: str) -> tuple[Suppression, ...]:
    """Return every suppression comment of `text`, in order. Never raises."""
    if _PATTERN.search(text) is None:  # most files: the tokens of a long one take a tenth of a second
        return ()
    found: list[Suppression] = []
    for first_row, last_row, comments in _find_logical_lines(text):
        for comment in comments:
            found += _parse_comment(comment, filename, first_row, last_row)
    return tuple(found)


def find_last_row_of_logical_line(text: str, row: int) -> int:
    """Return the last row of the logical line that contains `row`: only there can a comment follow all of it."""
    begun = False
    for token in _read_tokens(text):
        if token.type.name in ("NEWLINE", "ENDMARKER"):
            if begun and token.start_pos[0] >= row:
                return token.start_pos[0]
            begun = False
        elif token.string:
            begun = True
    return row


def _parse_comment(comment: _Comment, filename: str, first_row: int, last_row: int) -> Iterator[Suppression]:
    for match in _PATTERN.finditer(comment.text):
        start, end = comment.column + match.start(), comment.column + len(match.group().rstrip()) + match.start()
        listed = re.split(r"[,\s]+", (match["codes"] or "").strip().upper())
        yield Suppression(
            span=Span(filename, comment.row, start, comment.row, end),
            whole=_find_removable_span(comment, match, filename),
            codes=tuple(code for code in listed if code),
            whole_file=match["file"] is not None,
            first_row=first_row,
            last_row=last_row,
        )


def _find_removable_span(comment: _Comment, match: re.Match[str], filename: str) -> Span:
    """Return the span to remove: the reason of a suppression reaches to the next `#` or the end of the line."""
    before, next_comment = comment.text[: match.start()], comment.text.find("#", match.end())
    start = comment.column + match.start()
    if next_comment >= 0:
        return Span(filename, comment.row, start, comment.row, comment.column + next_comment)
    if comment.alone and not before:
        return Span(filename, comment.row, 0, comment.row + 1, 0)
    start -= len(before) - len(before.rstrip()) if before else comment.margin
    return Span(filename, comment.row, start, comment.row, comment.column + len(comment.text))


def _find_logical_lines(text: str) -> Iterator[tuple[int, int, list[_Comment]]]:
    """Yield the first and last row of every logical line with comments, and these. A comment on its own row outside
    statements is a logical line of its own."""
    first_row = 0
    end = (1, 0)
    comments: list[_Comment] = []
    for token in _read_tokens(text):
        for comment in _find_comments(token, end):
            if first_row:
                comments.append(comment)
            else:
                yield comment.row, comment.row, [comment]
        if token.type.name in ("NEWLINE", "ENDMARKER"):
            if comments:
                yield first_row, token.start_pos[0], comments
            first_row, comments = 0, []
        elif token.string and not first_row:
            first_row = token.start_pos[0]
        end = token.end_pos if token.string else end


def _read_tokens(text: str) -> Iterator[PythonToken]:
    from parso.python.tokenize import tokenize  # noqa: PLC0415 - a part of the start that few files need
    from parso.utils import parse_version_string  # noqa: PLC0415

    yield from tokenize(text, version_info=parse_version_string("3.14"))


def _find_comments(token: PythonToken, previous_end: tuple[int, int]) -> Iterator[_Comment]:
    """parso keeps comments in the white space before a token, which begins where the previous token ended."""
    if "#" not in token.prefix:
        return
    row, column = previous_end
    for line in _LINE_BREAK.split(token.prefix):
        if "#" in line:
            start = line.index("#")
            yield _Comment(line[start:], row, column + start, margin=start, alone=column == 0)
        row, column = row + 1, 0
