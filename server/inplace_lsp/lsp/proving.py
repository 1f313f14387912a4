"""One run of one function, as the editor's text has it. All of it belongs to the thread of `Prover`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.lsp.convert import Program
from inplace_lsp.lsp.documents import split_lines
from inplace_lsp.lsp.proofs import Piece, Proof
from inplace_lsp.lsp.prover import Prover
from inplace_lsp.lsp.settings import Settings, config_of
from inplace_lsp.project import apply
from inplace_lsp.verify import interpreter
from inplace_lsp.verify.compare import Prediction
from inplace_lsp.verify.launch import Cancelled, Launch
from inplace_lsp.verify.options import DEADLINE, Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import MODULE, Target, targets
from inplace_lsp.verify.verdict import TELLING, Verdict


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be run, how, and what was foretold. `python`: the editor's choice; `opened`: the other open texts."""

    program: Program
    target: Target
    settings: Settings
    python: str | None
    opened: Mapping[str, str]
    predicted: Prediction

    def launch(self) -> Launch:
        """The interpreter: that of the settings, the editor's, or the project's own. Raises LaunchError."""
        wanted = self.settings.interpreter or self.python
        return Launch.parse(interpreter.choose(self.program.filename, wanted), self.settings.launch)

    def options(self) -> Options:
        """How the run is made."""
        return Options(self.settings.device or "auto", self.settings.verify_timeout or DEADLINE)


def prove(question: Question, prover: Prover, cancelled: Cancelled) -> Proof:
    """Run it. Raises LaunchError or DeviceError if nothing can be run at all."""
    program = question.program
    subject = Subject(program.text, program.filename, question.target, opened=question.opened)
    client = prover.client(question.launch())
    return proof_of(question, verify(subject, client, question.options(), cancelled, question.predicted))


def proof_of(question: Question, verdict: Verdict) -> Proof:
    """What the verdict says about which lines."""
    program, target = question.program, question.target
    every = targets(program.text)
    whole = target.name == MODULE
    inside = [one for one in every if one != target and target.row <= one.row and one.end_row <= target.end_row]
    shown = tuple(_not_hidden(verdict, question)) if verdict.verdict in TELLING else ()
    around = (_innermost(every, one.span.row) for one in shown if one.span.file == program.filename)
    others = dict.fromkeys(one for one in around if one is not None and one != target)
    return Proof(
        program.filename,
        Piece("", 1, program.text) if whole else _piece(target, program.text),
        verdict,
        shown,
        () if whole else tuple(_piece(one, program.text) for one in others),
        tuple((one.row, one.end_row) for one in inside),
    )


def _not_hidden(verdict: Verdict, question: Question) -> Iterator[Finding]:
    """What comments and the configuration leave, as with findings of the analysis."""
    program = question.program
    config, _ = config_of(program.filename, question.settings)
    kept = apply(Analysis(verdict.findings), program.text, program.filename, config).findings
    yield from (one for one in verdict.findings if one in kept)


def _innermost(every: tuple[Target, ...], row: int) -> Target | None:
    around = [one for one in every if one.row <= row <= one.end_row]
    return max(around, key=lambda one: one.row, default=None)


def _piece(target: Target, text: str) -> Piece:
    return Piece(target.name, target.row, "".join(split_lines(text)[target.row - 1 : target.end_row]))
