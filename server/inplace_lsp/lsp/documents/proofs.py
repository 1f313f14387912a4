"""The results of verified runs, kept for each function and applied to a text while its function is unchanged.

A proof belongs to the exact lines of its function. Edits elsewhere move it; an edit of these lines hides it, and
undoing that edit shows it again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inplace_lsp.hazards.finding import NO_HAZARDS, Finding, Severity
from inplace_lsp.lsp.documents.convert import LINE_ENDS
from inplace_lsp.lsp.documents.documents import split_lines
from inplace_lsp.tape.kept_memory import KeptTensors
from inplace_lsp.tape.model import Span, Tape
from inplace_lsp.tape.move import Move, MoveByRows, move_tape

if TYPE_CHECKING:
    from inplace_lsp.verify.verdict import Verdict

KEPT = 64
"""Maximum number of proofs to remember, the newest ones: each holds a tape."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The lines of a definition, and the row of the first; `name` is its qualified name, "" for a whole file."""

    name: str
    row: int
    text: str

    def find_row_in(self, text: str) -> int | None:
        """Return the row of these lines in `text` if they are a definition of their own there, else None."""
        if not self.name:
            return 1 if text == self.text else None
        found = [find_row_at(text, at) for at in self._find_offsets(text)]
        if len(found) > 1:
            from inplace_lsp.engine import function_at  # noqa: PLC0415  (the first answer needs no engine)

            around = ((row, function_at(text, row)) for row in found)
            found = [row for row, function in around if function is not None and function.name == self.name]
        return found[0] if found else None

    def find_last_row(self, row: int) -> int:
        """Return the row of the last line when the first is on `row`."""
        return row + len(split_lines(self.text)) - 1

    def _find_offsets(self, text: str) -> Iterator[int]:
        at = text.find(self.text)
        while at >= 0:
            if self._is_alone(text, at):
                yield at
            at = text.find(self.text, at + 1)

    def _is_alone(self, text: str, at: int) -> bool:
        """Return whether no decorator is above and no further line of the body below."""
        end = at + len(self.text)
        begins = at == 0 or text[at - 1] in LINE_ENDS
        ends = end == len(text) or text[end - 1] in LINE_ENDS or text[end] in LINE_ENDS
        above = text[text.rfind("\n", 0, max(0, at - 1)) + 1 : at]
        goes_on = _indentation_width(_find_next_code_line(text, end)) > _indentation_width(self.text)
        return begins and ends and not goes_on and above.lstrip()[:1] != "@"


def find_row_at(text: str, at: int) -> int:
    """Return the row of an offset."""
    return 1 + text.count("\n", 0, at) + text.count("\r", 0, at) - text.count("\r\n", 0, at)


def _find_next_code_line(text: str, at: int) -> str:
    """Return the first line from offset `at` that holds more than a comment; "" if there is none."""
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        line = text[at:end]
        if line.strip() and line.lstrip()[0] != "#":
            return line
        at = end
    return ""


def _indentation_width(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


@dataclass(frozen=True, slots=True)
class Proof:
    """A verdict and the text that it is about."""

    file: str
    target: Piece
    verdict: Verdict
    shown: tuple[Finding, ...] = ()
    """The hazards that the run showed, without those that the project hides."""
    others: tuple[Piece, ...] = ()
    """The other functions with places of these hazards or of their memory."""
    nested: tuple[tuple[int, int], ...] = ()
    """The rows of functions inside the target, which the run need not have called."""
    memory: tuple[KeptTensors, ...] = ()
    """The tensors that are alive when backward begins, if that was measured."""

    def apply_to(self, text: str) -> HeldProof | None:
        """Apply the proof to `text`; None if the function is not there unchanged."""
        row = self.target.find_row_in(text)
        if row is None:
            return None
        rows = ((other, other.find_row_in(text)) for other in self.others)
        here = [(self.target, row), *((piece, at) for piece, at in rows if at is not None)]
        starts = sorted((piece.row, at) for piece, at in here)
        move = MoveByRows(self.file, starts) if any(old != new for old, new in starts) else _keep_span
        kept = [(piece.row, piece.find_last_row(piece.row)) for piece, _ in here]
        shown = [
            _move_finding(finding, move)
            for finding in self.shown
            if finding.span.file != self.file or _lies_in(finding.span, kept)
        ]
        memory = (
            replace(each, span=move(each.span))
            for each in self.memory
            if each.span.file == self.file and _lies_in(each.span, kept)
        )
        return HeldProof(self, row, move, tuple(shown), tuple(memory))


def _keep_span(span: Span) -> Span:
    return span


def _lies_in(span: Span, rows: Sequence[tuple[int, int]]) -> bool:
    return any(first <= span.row <= last for first, last in rows)


def _move_finding(finding: Finding, move: Move) -> Finding:
    if move is _keep_span:
        return finding
    related = tuple(replace(note, span=move(note.span)) for note in finding.related)
    story = move_tape(Tape(finding.function, finding.story), move).events
    return replace(finding, span=move(finding.span), related=related, story=story)


@dataclass(frozen=True, slots=True)
class HeldProof:
    """A proof applied to a text: its function begins on `row`, `move` maps its lines to their current place."""

    proof: Proof
    row: int
    move: Move
    shown: tuple[Finding, ...]
    memory: tuple[KeptTensors, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Return the verdict of the run."""
        return self.proof.verdict

    @property
    def tape(self) -> Tape | None:
        """Return the observed tape, moved to the rows of this text."""
        tape = self.verdict.tape
        return tape if tape is None or self.move is _keep_span else move_tape(tape, self.move)

    def confirms_finding(self, finding: Finding) -> bool:
        """Return whether the run showed this very hazard."""
        return any(_is_same_hazard(finding, seen) for seen in self.shown)

    def refutes_finding(self, finding: Finding) -> bool:
        """Return whether the run passed lines where the analysis predicted an error, with its inputs."""
        foretold = finding.code not in NO_HAZARDS
        return foretold and self.verdict.verdict == "not-reproduced" and self.is_about(finding.span)

    def is_about(self, span: Span) -> bool:
        """Return whether a place belongs to the function itself, and not to a nested function."""
        row = span.row - self.row + self.proof.target.row
        own = [(self.proof.target.row, self.proof.target.find_last_row(self.proof.target.row))]
        inside = span.file == self.proof.file and any(first <= row <= last for first, last in own)
        return inside and not any(first <= row <= last for first, last in self.proof.nested)


def _is_same_hazard(first: Finding, other: Finding) -> bool:
    return (first.code, first.span.file, first.span.row) == (other.code, other.span.file, other.span.row)


@dataclass(frozen=True, slots=True)
class Verified:
    """All proofs that hold for a text."""

    held: tuple[HeldProof, ...] = ()

    def adjust_finding(self, finding: Finding) -> Finding:
        """Return a finding of the analysis, changed by what the runs have shown."""
        if any(held_proof.confirms_finding(finding) for held_proof in self.held):
            return _add_verdict(finding, "error", "Confirmed by running")
        refuting = next((held_proof for held_proof in self.held if held_proof.refutes_finding(finding)), None)
        if refuting is not None:
            severity = "warning" if finding.severity == "error" else finding.severity
            return _add_verdict(finding, severity, "Not reproduced by running", refuting.verdict.why)
        return finding

    def list_unpredicted_findings(self, predicted: Sequence[Finding]) -> tuple[Finding, ...]:
        """Return what the runs showed and the analysis did not predict, each once."""
        shown = {(finding.code, finding.span): finding for held in self.held for finding in held.shown}
        new = (finding for finding in shown.values() if not any(_is_same_hazard(finding, known) for known in predicted))
        return tuple(_add_verdict(finding, "error", "Seen by running") for finding in new)

    def find_verdict(self, name: str) -> str | None:
        """Return the last verdict on the function `name` ("" for the whole program), None without a run."""
        return next(
            (held_proof.verdict.verdict for held_proof in self.held if held_proof.proof.target.name == name), None
        )

    def list_memory(self) -> tuple[KeptTensors, ...]:
        """Return the tensors that the newest run of each line had alive when backward began."""
        newest = {(each.span.row, each.span.column): held for held in reversed(self.held) for each in held.memory}
        return tuple(
            each for held in self.held for each in held.memory if newest[each.span.row, each.span.column] is held
        )

    def find_proof(self, span: Span) -> HeldProof | None:
        """Return the proof of the function that contains a place."""
        return next((held_proof for held_proof in self.held if held_proof.is_about(span)), None)


def _add_verdict(finding: Finding, severity: Severity, how: str, why: str = "") -> Finding:
    message = f"{finding.message.rstrip('.')} ({why.rstrip('.')})." if why else finding.message
    return replace(finding, severity=severity, message=f"{how}: {message}")


NOTHING = Verified()


class Proofs:
    """The proofs of a session: the newest for each function of each program."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Proof] = OrderedDict()

    def remember_proof(self, program: str, proof: Proof) -> None:
        """Remember a proof in place of the previous one of its function."""
        self._kept[program, proof.target.name] = proof
        self._kept.move_to_end((program, proof.target.name))
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def find_proofs_of(self, program: str, text: str) -> Verified:
        """Return the proofs that hold for `text`, the newest first."""
        mine = [proof for (key, _), proof in reversed(self._kept.items()) if key == program]
        held = tuple(found for proof in mine if (found := proof.apply_to(text)) is not None)
        return Verified(held) if held else NOTHING
