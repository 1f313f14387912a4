"""Verify a function as the editor's text has it. All of it belongs to the thread of `Prover`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.lsp.client.settings import Settings, config_of, find_interpreter
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.documents import split_lines
from inplace_lsp.lsp.documents.proofs import Piece, Proof
from inplace_lsp.lsp.session.prover import Prover
from inplace_lsp.project import apply_config
from inplace_lsp.report.kept_memory import LEAST_SHARE
from inplace_lsp.tape.kept_memory import KeptTensors
from inplace_lsp.verify import interpreter
from inplace_lsp.verify.compare import Prediction
from inplace_lsp.verify.launch import Cancelled, Launch
from inplace_lsp.verify.measure import measure
from inplace_lsp.verify.options import DEADLINE, Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import MODULE, Target, find_targets
from inplace_lsp.verify.verdict import TELLING, Verdict


@dataclass(frozen=True, slots=True)
class Question:
    """A run: its target, how it is done, and what was predicted. `opened`: the other open texts."""

    program: Program
    target: Target
    settings: Settings
    opened: Mapping[str, str]
    predicted: Prediction

    def choose_launch(self) -> Launch:
        """Return the interpreter: that of the configuration, the editor's, or the project's own. Raises LaunchError."""
        filename = self.program.filename
        wanted = find_interpreter(filename, self.settings)
        return Launch.parse(interpreter.choose_interpreter(filename, wanted), self.settings.launch)

    def make_options(self) -> Options:
        """Return the options of the run."""
        return Options(self.settings.device or "auto", self.settings.verify_timeout or DEADLINE)


def prove_function(question: Question, prover: Prover, cancelled: Cancelled, step: Callable[[str], None]) -> Proof:
    """Run it, and report each step to `step`. Raises LaunchError or DeviceError if nothing can be run at all."""
    program = question.program
    subject = Subject(program.text, program.filename, question.target, opened=question.opened)
    step("importing torch")
    client = prover.client_for(question.choose_launch())
    client.hello(cancelled)
    step("running it, and again with a recorder")
    verdict = verify(subject, client, question.make_options(), cancelled, question.predicted)
    memory: tuple[KeptTensors, ...] = ()
    if question.settings.memory_hints and verdict.verdict == "not-reproduced":
        step("measuring its memory")
        measured = measure(subject, None, client, question.make_options(), cancelled, question.predicted)
        memory = measured.use.largest(LEAST_SHARE) if measured.use is not None else ()
    step("looking at what happened")
    return make_proof(question, verdict, memory)


def make_proof(question: Question, verdict: Verdict, memory: tuple[KeptTensors, ...] = ()) -> Proof:
    """Return the verdict with the lines that it is about. `memory`: what is alive when backward begins."""
    program, target = question.program, question.target
    every = find_targets(program.text)
    whole = target.name == MODULE
    inside = [unit for unit in every if unit != target and target.row <= unit.row and unit.end_row <= target.end_row]
    shown = tuple(_drop_hidden(verdict, question)) if verdict.verdict in TELLING else ()
    spans = [*(finding.span for finding in shown), *(kept.span for kept in memory)]
    rows = [span.row for span in spans if span.file == program.filename]
    others = [unit for unit in _list_innermost_targets(every, rows) if unit != target]
    return Proof(
        program.filename,
        Piece("", 1, program.text) if whole else _make_piece(target, program.text),
        verdict,
        shown,
        () if whole else tuple(_make_piece(other, program.text) for other in others),
        tuple((unit.row, unit.end_row) for unit in inside),
        memory,
    )


def _drop_hidden(verdict: Verdict, question: Question) -> Iterator[Finding]:
    """Yield the findings that comments and the configuration do not hide."""
    program = question.program
    config, _ = config_of(program.filename, question.settings)
    kept = apply_config(Analysis(verdict.findings), program.text, program.filename, config).findings
    yield from (finding for finding in verdict.findings if finding in kept)


def _list_innermost_targets(every: Sequence[Target], rows: Iterable[int]) -> list[Target]:
    """Return the innermost function around each of the rows."""
    found: dict[Target, None] = {}
    for row in rows:
        around = [unit for unit in every if unit.row <= row <= unit.end_row]
        if around:
            found[max(around, key=lambda target: target.row)] = None
    return list(found)


def _make_piece(target: Target, text: str) -> Piece:
    return Piece(target.name, target.row, "".join(split_lines(text)[target.row - 1 : target.end_row]))
