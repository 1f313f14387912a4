"""The prediction held against the observation, event by event: where the two recorders tell different stories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from inplace_lsp import engine
from inplace_lsp.config import ConfigError, for_file
from inplace_lsp.facts.models import facts_of
from inplace_lsp.facts.modules import Modules
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.autograd import is_as_made
from inplace_lsp.tape.model import Event, Save, Tape, Write
from inplace_lsp.verify.inputs.model import Hints
from inplace_lsp.verify.target import MODULE, Target
from inplace_lsp.verify.verdict import Verdict

SHOWN = 6
"""So many differences are told; the first is what matters, the rest mostly follows from it."""

_Step = tuple[str, int, str]
"""What is compared of an event: save or write, the row, the op."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the static analysis says about a target: its findings there, and the tape of each path it looked at."""

    filename: str
    findings: tuple[Finding, ...] = ()
    tapes: tuple[Tape, ...] = ()

    def hints(self) -> Hints:
        """What inputs should bring about for the predicted findings to show."""
        needy = (assumed.removesuffix(" requires grad") for one in self.findings for assumed in one.assumptions)
        return Hints(tuple(one.span.row for one in self.findings), frozenset(name for name in needy if " " not in name))


def facts_about(filename: str) -> Modules:
    """What is on the disk besides the file: its modules, and the project's model files. A broken configuration names
    none; whoever checks the file says so."""
    try:
        return facts_of(for_file(filename).models)
    except ConfigError:
        return Modules()


def predict(text: str, filename: str, target: Target, modules: Modules | None = None) -> Prediction:
    """What the analysis says about the definition `target` of `text`. `modules` tell of the
    imported ones; without them these are looked for on the disk."""
    analysis = engine.analyse(text, filename, modules or facts_about(filename))
    found = [one for one in analysis.findings if one.span.file == filename]
    inside = [one for one in found if target.row <= one.span.row <= target.end_row]
    outer = target.name.split(".<locals>")[0]
    tapes = tuple(tape for tape in analysis.tapes if tape.function in (target.name, outer))
    return Prediction(filename, tuple(found if target.name == MODULE else inside), tapes)


def differences(predicted: Prediction, verdict: Verdict, target: Target) -> tuple[str, ...]:
    """Where prediction and observation differ about `target`, in words; nothing if one of the two is missing, or the
    run broke off."""
    if verdict.tape is None or not predicted.tapes or verdict.verdict == "inconclusive":
        return ()
    paths = [_steps(tape.events, predicted.filename) for tape in predicted.tapes]
    rows = {row for path in paths for _, row, _ in path} | set(range(target.row, target.end_row + 1))
    ran = _steps(verdict.tape.events, predicted.filename)
    observed = [step for step in ran if target.name == MODULE or step[1] in rows]  # a real call's program does more
    nearest = min(paths, key=lambda path: sum(1 for _ in _apart(path, observed)))
    told = [*_about_findings(predicted, verdict), *_apart(nearest, observed)]
    more = len(told) - SHOWN
    return (*told[:SHOWN], *([f"and {more} more differences from the prediction"] if more > 0 else []))


def _about_findings(predicted: Prediction, verdict: Verdict) -> Iterator[str]:
    foretold = {(one.span.row, one.code) for one in predicted.findings}
    hints = {(one.span.row, one.code) for one in predicted.findings if one.severity == "hint"}
    seen = {(one.written.row, one.code) for one in verdict.violations if one.written.file == predicted.filename}
    for row, code in sorted(foretold - seen - hints):
        yield f"line {row}: {code} was predicted and not observed"
    for row, code in sorted(seen - foretold):
        yield f"line {row}: {code} was observed and not predicted"


def _steps(events: Iterable[Event], filename: str) -> list[_Step]:
    """The saves and writes in the file, in order; several of one kind on a line at a time count once. A write to memory
    that no op has saved (the values that a new layer starts from) is no part of the story."""
    steps: list[_Step] = []
    saved: set[int] = set()
    for event in events:
        if isinstance(event, Save) and is_as_made(event):
            continue
        if isinstance(event, Save):
            saved.add(event.tensor.storage)
            kind = "save"
        elif isinstance(event, Write) and event.tensor.storage in saved:
            kind = "write"
        else:
            continue
        step = (kind, event.span.row, event.op.rstrip("_"))
        if event.span.file == filename and steps[-1:] != [step]:
            steps.append(step)
    return steps


def _apart(predicted: list[_Step], observed: list[_Step]) -> Iterator[str]:
    """The steps that only one of the two has. What a loop repeats is told once; that one op is known by two names (an
    assignment to a part is `index_put`, too) is not told."""
    told: set[str] = set()
    foretold, seen = {one[:2] for one in predicted}, {one[:2] for one in observed}
    for tag, i, j, k, m in SequenceMatcher(None, predicted, observed, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        only = [f"{_words(one)} was predicted and did not happen" for one in predicted[i:j] if one[:2] not in seen]
        new = [f"{_words(one)} happened and was not predicted" for one in observed[k:m] if one[:2] not in foretold]
        for words in (*only, *new):
            if words not in told:
                told.add(words)
                yield words


def _words(step: _Step) -> str:
    kind, row, op = step
    return f"line {row}: {'a save by' if kind == 'save' else 'a write by'} `{op}`"
