"""Read torch's errors in a text.

Terminals and loggers wrap lines wherever they like, so torch's words are looked for in the text without its blanks.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from inplace_lsp.hazards import ip101
from inplace_lsp.why.forms import FORMS, Form
from inplace_lsp.why.frames import find_frames
from inplace_lsp.why.message import Frame, TorchError
from inplace_lsp.why.streams import split_streams

_DETECTED = re.compile(r"Error detected in (\w+?)\.?\s*(?:Traceback|No forward|\(Triggered|$)".replace(" ", r"\s*"))
_FORWARD = re.compile(r"Traceback of forward call".replace(" ", r"\s+"))
_PREVIOUS = re.compile(r"Previous calculation was induced by".replace(" ", r"\s+"))
_TRACEBACK = re.compile(r"Traceback \(most recent call last\)".replace(" ", r"\s+"))


def read_errors(log: str) -> tuple[TorchError, ...]:
    """Return torch's errors in `log`, equal ones merged, the most detailed first."""
    times: Counter[TorchError] = Counter()
    origins: dict[TorchError, _Origin] = {}
    for stream in split_streams(log):
        for error, origin in _find_errors(stream):
            times[error] += 1
            origins[error] = origins[error].fill_gaps(origin) if error in origins else origin
    found = (
        replace(error, times=times[error], failing=origin.failing, frames=origin.frames, forward=origin.forward)
        for error, origin in origins.items()
    )
    return tuple(sorted(found, key=_rank_by_detail))


class _Origin(NamedTuple):
    """Where an error happened, as the tracebacks above it show: fields of TorchError."""

    failing: str
    frames: tuple[Frame, ...]
    forward: tuple[Frame, ...]

    def fill_gaps(self, other: _Origin) -> _Origin:
        """Return these details, with those of `other` where there are none."""
        return _Origin(self.failing or other.failing, self.frames or other.frames, self.forward or other.forward)


def _rank_by_detail(error: TorchError) -> tuple[bool, int]:
    """Return a sort key: the more details, the earlier."""
    known_details = (error.op, error.shape, error.found, error.expected, error.frames or None, error.forward or None)
    return error.kind == "other", -sum(part is not None for part in known_details)


def _find_errors(lines: Sequence[str]) -> Iterator[tuple[TorchError, _Origin]]:
    """Yield the errors in the output of one process, each with its origin by the tracebacks above it."""
    squeezed, row_of = _remove_blanks(lines)
    frames = list(find_frames(lines))
    rows = [row for row, _ in frames]
    above = 0
    for at, form, match in _find_matches(squeezed):
        row = row_of(at)
        error = _build_error(form, match)
        last = row_of(match.end() - 1)
        near = frames[bisect_left(rows, above) : bisect_right(rows, last + _BELOW)]
        yield error, _read_origin(lines, near, above, row)
        above = last + 1


_BELOW = 4
"""Maximum number of lines between the message of a pytest failure and the place where it happened."""


def _find_matches(squeezed: str) -> list[tuple[int, Form, re.Match[str]]]:
    """Return the matches in order; where several forms match at one place, only the first form's."""
    found: list[tuple[int, Form, re.Match[str]]] = []
    for form in FORMS:
        starts = [start for start, _, _ in found]  # matches of earlier forms, which do not overlap
        for match in form.pattern.finditer(squeezed):
            following = bisect_left(starts, match.end())
            if not following or found[following - 1][2].end() <= match.start():
                found.append((match.start(), form, match))
        found.sort(key=lambda match: match[0])
    return found


def _build_error(form: Form, match: re.Match[str]) -> TorchError:
    groups = match.groupdict()
    shape = groups.get("shape")
    of_base = "itsbase" in match.group(0)
    return TorchError(
        form.kind,
        (*form.codes, ip101.CODE) if of_base else form.codes,
        op=groups.get("op") or None,
        output=_parse_number(groups.get("output")),
        shape=_parse_shape(shape) if shape is not None and groups["closed"] else None,
        tensor_type=groups.get("type") or "",
        found=_parse_number(groups.get("found")),
        expected=_parse_number(groups.get("expected")),
        of_base=of_base,
        of_vmap=form.is_of_vmap,
    )


def _parse_shape(text: str) -> tuple[int, ...] | None:
    sizes = [_parse_number(part) for part in text.split(",") if part]
    known = tuple(size for size in sizes if size is not None)
    return known if len(known) == len(sizes) else None


def _parse_number(text: str | None) -> int | None:
    """Return the number in a message; None if there is none, or none that torch could have counted to."""
    return int(text) if text and len(text) < _DIGITS else None


_DIGITS = 20


def _remove_blanks(lines: Sequence[str]) -> tuple[str, Callable[[int], int]]:
    """Return the text without its blanks, and a function from an index in it to the line."""
    pieces: list[str] = []
    rows: list[int] = []
    ends: list[int] = []
    end = 0
    for at, line in enumerate(lines):
        piece = "".join(line.split())
        if piece:
            end += len(piece)
            pieces.append(piece)
            rows.append(at)
            ends.append(end)
    return "".join(pieces), lambda place: rows[min(bisect_right(ends, place), len(rows) - 1)] if rows else 0


def _read_origin(lines: Sequence[str], frames: Sequence[tuple[int, Frame]], above: int, row: int) -> _Origin:
    """Return the origin of an error by the frames since the error before it: those of the forward call, and its own."""
    text = "\n".join(lines[above : row + 1])
    detected = _DETECTED.search(text)
    forward_from = _find_row(_FORWARD, lines, above, row)
    own_from = _find_last_row(_TRACEBACK, lines, above, row)
    previous = _find_row(_PREVIOUS, lines, above, row)
    if own_from is None:
        own_from = above if forward_from is None else row
    forward: tuple[Frame, ...] = ()
    if forward_from is not None:
        end = min(at for at in (own_from if own_from > forward_from else row, previous or row) if at > forward_from)
        forward = tuple(frame for at, frame in frames if forward_from < at < end)
    own = tuple(frame for at, frame in frames if at >= own_from)
    return _Origin(detected[1] if detected else "", own, forward)


def _find_row(words: re.Pattern[str], lines: Sequence[str], start: int, stop: int) -> int | None:
    return next((at for at in range(start, stop + 1) if words.search(lines[at])), None)


def _find_last_row(words: re.Pattern[str], lines: Sequence[str], start: int, stop: int) -> int | None:
    return next((at for at in range(stop, start - 1, -1) if words.search(lines[at])), None)
