"""What verified runs have shown, kept for each function, and held against a text for as long as its function is there.

A proof belongs to the very lines of its function. Edits elsewhere move it; an edit of these lines ends it, and undoing
that edit brings it back.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inplace_lsp.hazards.finding import NO_HAZARDS, Finding, Severity
from inplace_lsp.lsp.convert import LINE_ENDS
from inplace_lsp.lsp.documents import split_lines
from inplace_lsp.tape.model import Span, Tape
from inplace_lsp.tape.move import Move, by_rows, moved

if TYPE_CHECKING:
    from inplace_lsp.verify.verdict import Verdict

KEPT = 64
"""So many proofs are remembered, those made last: each holds a tape."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The lines of a definition, and the row of the first; `name` is its qualified name, "" for a whole file."""

    name: str
    row: int
    text: str

    def row_in(self, text: str) -> int | None:
        """Where these lines are in `text` and are a definition of their own; None if they are not."""
        if not self.name:
            return 1 if text == self.text else None
        found = [row_at(text, at) for at in self._places(text)]
        if len(found) > 1:
            from inplace_lsp.engine import function_at  # noqa: PLC0415  (the first answer needs no engine)

            around = ((row, function_at(text, row)) for row in found)
            found = [row for row, one in around if one is not None and one.name == self.name]
        return found[0] if found else None

    def last_row(self, row: int) -> int:
        """The row of the last line when the first is on `row`."""
        return row + len(split_lines(self.text)) - 1

    def _places(self, text: str) -> Iterator[int]:
        at = text.find(self.text)
        while at >= 0:
            if self._is_alone(text, at):
                yield at
            at = text.find(self.text, at + 1)

    def _is_alone(self, text: str, at: int) -> bool:
        """Whether no decorator stands above and no further line of the body below."""
        end = at + len(self.text)
        begins = at == 0 or text[at - 1] in LINE_ENDS
        ends = end == len(text) or text[end - 1] in LINE_ENDS or text[end] in LINE_ENDS
        above = text[text.rfind("\n", 0, max(0, at - 1)) + 1 : at]
        goes_on = _indentation(_code(text, end)) > _indentation(self.text)
        return begins and ends and not goes_on and above.lstrip()[:1] != "@"


def row_at(text: str, at: int) -> int:
    """The row of an offset."""
    return 1 + text.count("\n", 0, at) + text.count("\r", 0, at) - text.count("\r\n", 0, at)


def _code(text: str, at: int) -> str:
    """The first line from offset `at` on that holds more than a comment; "" if there is none."""
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        line = text[at:end]
        if line.strip() and line.lstrip()[0] != "#":
            return line
        at = end
    return ""


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


@dataclass(frozen=True, slots=True)
class Proof:
    """A verdict and the text that it is about.

    `shown`: the hazards it tells of, less those that the project hides. `others`: the other functions in which it saw
    them. `nested`: the rows of functions inside of the target, which need not have been run with it.
    """

    file: str
    target: Piece
    verdict: Verdict
    shown: tuple[Finding, ...] = ()
    others: tuple[Piece, ...] = ()
    nested: tuple[tuple[int, int], ...] = ()

    def held_against(self, text: str) -> Held | None:
        """What it says about `text`; None if the function is not there as it was."""
        row = self.target.row_in(text)
        if row is None:
            return None
        rows = ((one, one.row_in(text)) for one in self.others)
        here = [(self.target, row), *((one, at) for one, at in rows if at is not None)]
        starts = sorted((one.row, at) for one, at in here)
        move = by_rows(self.file, starts) if any(old != new for old, new in starts) else _stay
        kept = [(one.row, one.last_row(one.row)) for one, _ in here]
        shown = [_moved(one, move) for one in self.shown if one.span.file != self.file or _lies_in(one.span, kept)]
        return Held(self, row, move, tuple(shown))


def _stay(span: Span) -> Span:
    return span


def _lies_in(span: Span, rows: Sequence[tuple[int, int]]) -> bool:
    return any(first <= span.row <= last for first, last in rows)


def _moved(finding: Finding, move: Move) -> Finding:
    if move is _stay:
        return finding
    related = tuple(replace(one, span=move(one.span)) for one in finding.related)
    story = moved(Tape(finding.function, finding.story), move).events
    return replace(finding, span=move(finding.span), related=related, story=story)


@dataclass(frozen=True, slots=True)
class Held:
    """A proof as it stands in a text: its function begins on `row`, `move` tells where its lines are now."""

    proof: Proof
    row: int
    move: Move
    shown: tuple[Finding, ...]

    @property
    def verdict(self) -> Verdict:
        """What the run came to."""
        return self.proof.verdict

    @property
    def tape(self) -> Tape | None:
        """What was observed, at the rows of this text."""
        tape = self.verdict.tape
        return tape if tape is None or self.move is _stay else moved(tape, self.move)

    def confirms(self, finding: Finding) -> bool:
        """Whether the run showed this very hazard."""
        return any(_same(finding, one) for one in self.shown)

    def refutes(self, finding: Finding) -> bool:
        """Whether the run came through lines of which the analysis had foretold that it would not."""
        foretold = finding.code not in NO_HAZARDS
        return foretold and self.verdict.verdict == "not-reproduced" and self.is_about(finding.span)

    def is_about(self, span: Span) -> bool:
        """Whether a place is one of the function's own, and not of a function inside of it."""
        row = span.row - self.row + self.proof.target.row
        own = [(self.proof.target.row, self.proof.target.last_row(self.proof.target.row))]
        inside = span.file == self.proof.file and any(first <= row <= last for first, last in own)
        return inside and not any(first <= row <= last for first, last in self.proof.nested)


def _same(one: Finding, other: Finding) -> bool:
    return (one.code, one.span.file, one.span.row) == (other.code, other.span.file, other.span.row)


@dataclass(frozen=True, slots=True)
class Verified:
    """All proofs that hold for a text."""

    held: tuple[Held, ...] = ()

    def of(self, finding: Finding) -> Finding:
        """A finding of the analysis as it is told after the runs."""
        if any(one.confirms(finding) for one in self.held):
            return _told(finding, "error", "confirmed by running")
        if any(one.refutes(finding) for one in self.held):
            return _told(finding, "hint", "not reproduced by running")
        return finding

    def missed(self, predicted: Sequence[Finding]) -> tuple[Finding, ...]:
        """What the runs showed and the analysis did not foretell, each once."""
        shown = {(one.code, one.span): one for held in self.held for one in held.shown}
        new = (one for one in shown.values() if not any(_same(one, known) for known in predicted))
        return tuple(_told(one, "error", "seen by running") for one in new)

    def about(self, span: Span) -> Held | None:
        """The proof of the function that a place lies in."""
        return next((one for one in self.held if one.is_about(span)), None)


def _told(finding: Finding, severity: Severity, how: str) -> Finding:
    return replace(finding, severity=severity, message=f"{finding.message.rstrip('.')} ({how}).")


NOTHING = Verified()


class Proofs:
    """The proofs of a session: of each function of each program the newest."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Proof] = OrderedDict()

    def keep(self, program: str, proof: Proof) -> None:
        """Remember a proof in place of the last one of its function."""
        self._kept[program, proof.target.name] = proof
        self._kept.move_to_end((program, proof.target.name))
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def held_against(self, program: str, text: str) -> Verified:
        """What is proved about `text`, the newest first."""
        mine = [proof for (key, _), proof in reversed(self._kept.items()) if key == program]
        held = tuple(found for proof in mine if (found := proof.held_against(text)) is not None)
        return Verified(held) if held else NOTHING
