"""Reasons for verify's verdicts, each for an answer of the worker that causes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.registry import HAZARDS
from inplace_lsp.messages.answers import Answer, FailedAt, Gradient, Raised, RunReport
from inplace_lsp.messages.inputs import Inputs
from inplace_lsp.tape.codec import to_plain
from inplace_lsp.tape.model import ALWAYS, MADE_UP, Backward, Check, Save, Span, Tape, TensorState, Write
from inplace_lsp.verify.absence import explain_absence
from inplace_lsp.verify.inputs.names import PARTLY, PREPARED
from inplace_lsp.verify.next_steps import notes_about_missing, with_next_step
from inplace_lsp.verify.prove import NO_INPUTS, add_beside, judge_made_up_order, judge_unfinished, set_aside
from inplace_lsp.verify.target import MODULE, Target
from inplace_lsp.verify.verdict import Judgement, Verdict, describe_left, judge_answer
from tools.message_table.errors import FILE

_TORCH = "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation"
_BROKEN = """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.add_(1)
y.sum().backward()
"""
_FINE = _BROKEN.replace("y.add_(1)\n", "z = y * 2\n")
_NO_GRADIENT = _BROKEN.replace("requires_grad=True", "").replace("y.sum().backward()\n", "")
_SILENT = _BROKEN.replace("y.add_(1)", "y.data.add_(1)")
_AGAIN = _FINE + "y.sum().backward()\n"
_LEAF = "import torch\nx = torch.rand(3, requires_grad=True)\nx.add_(1)\n"


def judge_answers() -> Iterator[Judgement]:
    """Yield the judgement of each kind of answer."""
    broken, fine, silent = _tape_of(_BROKEN), _tape_of(_FINE), _tape_of(_SILENT)
    error, raised = _TORCH, Raised(_TORCH, within=True, entered=True, inside=True)
    walks = [((Gradient("x", (1,), (number,)),),) for number in (2.0, 1.0)]
    answers = (
        Answer(cancelled=True),
        Answer(),
        _answer(RunReport(error, raised=raised), _recorded(broken, error)),
        _answer(RunReport(error, raised=raised), RunReport(failed="it was still running after 20 s")),
        _answer(RunReport(error, raised=raised), _recorded(fine, "KeyError: 'x'")),
        _answer(RunReport(caught=(_TORCH,)), _recorded(broken, error)),
        _answer(RunReport(failed="it was still running after 20 s, on line 4"), RunReport()),
        _answer(RunReport(), RunReport(failed="its process ended with exit status 1")),
        _answer(RunReport(), RunReport()),
        _answer(RunReport(), _recorded(_tape_of_stand_in())),
        _answer(RunReport("MemoryError: 8 GB"), _recorded(fine)),
        _answer(RunReport("ValueError: no such mode"), _recorded(fine)),
        _answer(RunReport("ValueError: no such mode", failed_at=FailedAt(FILE, 12, "pick(mode)")), _recorded(fine)),
        _answer(RunReport("ValueError: no such mode", failed_at=FailedAt(FILE, 3, "pick(mode)", 12)), _recorded(fine)),
        _answer(RunReport(), _recorded(fine, "KeyError: 'x'")),
        _answer(RunReport(), _recorded(broken)),
        _answer(RunReport(gradients=walks[0]), replace(_recorded(silent), gradients=walks[1])),
        _answer(RunReport(given_tensors=("timm.models",)), _recorded(fine)),
        _answer(RunReport(), _recorded(_tape_of(_NO_GRADIENT))),
        _answer(RunReport(), _recorded(fine)),
        _answer(RunReport(), _recorded(_repeat_checks(fine))),
    )
    yield from map(judge_answer, answers)
    yield Judgement("inconclusive", NO_INPUTS)
    unfinished = Inputs("inferred", receiver=f"{PARTLY}(Net)")
    yield judge_unfinished(judge_answer(answers[-1]), unfinished)
    prepared = Inputs("inferred", receiver=f"{PREPARED}(Net(), begin={{}}, finish={{}})")
    for answer in (answers[2], answers[16]):
        yield judge_made_up_order(judge_answer(answer), prepared)
    beside = add_beside(Verdict("Net.forward", "inconclusive", NO_INPUTS, "inferred", {}), judge_answer(answers[2]).why)
    yield Judgement(beside.verdict, beside.why)
    for entered in (True, False):
        of_torch = replace(raised, within=False, entered=entered)
        aside = set_aside(Verdict("Net.forward", "confirmed", "", "program", {}, error=_TORCH, raised=of_torch))
        yield Judgement(aside.verdict, aside.why)


def _answer(plain: RunReport, recorded: RunReport) -> Answer:
    return Answer(plain=plain, recorded=recorded)


def _recorded(tape: Tape, error: str | None = None) -> RunReport:
    return RunReport(error, tape=json.dumps(to_plain(tape)))


def explain_absences() -> Iterator[str]:
    """Yield why a finding did not show, for tapes that each lack something it needs."""
    broken = _tape_of(_BROKEN)
    kept = [event for event in broken.events if isinstance(event, Save)]
    with_other = [replace(event, tensor=replace(event.tensor, storage=99)) for event in kept]
    swapped = sorted(broken.events, key=lambda event: isinstance(event, Save))
    same = [replace(event, changed=False) if isinstance(event, Check) else event for event in broken.events]
    by_hooks = [replace(event, tensor=replace(event.tensor, counter=99)) if event in kept else event for event in same]
    for text, events in (
        (_BROKEN, by_hooks),
        (_BROKEN, [event for event in broken.events if not isinstance(event, Save)]),
        (_BROKEN, [event for event in broken.events if not isinstance(event, Write)]),
        (_BROKEN, [*with_other, *(event for event in broken.events if not isinstance(event, Save))]),
        (_BROKEN, swapped),
        (_BROKEN, [event for event in broken.events if not isinstance(event, (Backward, Check))]),
        (_BROKEN, same),
        (_AGAIN, []),
        (_AGAIN, _tape_of(_AGAIN).events),
    ):
        yield explain_absence(analyse_source(text, FILE).findings, Tape("<module>", tuple(events)), text)
    yield from _explain_accepted()
    found = analyse_source(_BROKEN, FILE).findings[0]
    yield explain_absence(
        [replace(found, related=())],
        Tape("<module>", tuple(event for event in broken.events if isinstance(event, Write))),
        _BROKEN,
    )
    two = "def f(q, k):\n    weight = q.exp()\n    k.mul_(2)\n"
    of_two = replace(
        found, span=_span_at(3), related=tuple(replace(related, span=_span_at(2)) for related in found.related)
    )
    yield explain_absence([of_two], Tape("f", ()), two)


def _explain_accepted() -> Iterator[str]:
    """Yield why torch accepted writes that `check` expected it to refuse."""
    refused = analyse_source(_LEAF, FILE).findings[0]
    tensor = TensorState(1, "x", 1, 1, 0, ALWAYS)
    tape = Tape("<module>", (Write(refused.span, tensor, "add_", 1, grad_mode=True),))
    for hazard in HAZARDS:
        if hazard.absence:
            yield explain_absence([replace(refused, code=hazard.code)], tape, _LEAF)


def next_steps() -> Iterator[str]:
    """Yield the advice for inconclusive verdicts, and the notes about modules that are not installed."""
    yield from notes_about_missing(("timm",))
    yield from notes_about_missing(("timm", "einops"))
    whole, function = Target(MODULE, 1, 9), Target("scale", 3, 9)
    open_one = Verdict("scale", "inconclusive", NO_INPUTS, "inferred", {})
    stopped = replace(open_one, why="the module `timm` is not installed", not_installed=("timm",))
    for verdict, target in (
        (open_one, function),
        (replace(open_one, arguments={"x": "torch.rand(2, 3)"}), function),
        (replace(open_one, function=MODULE), whole),
        (stopped, function),
    ):
        yield with_next_step(verdict, target, "train.py", "python").notes[-1]
    yield describe_left("/tmp/inplace-lsp-4f2a")


def _tape_of(text: str) -> Tape:
    """Return the tape of a run of a program."""
    return next(tape for tape in analyse_source(text, FILE).tapes if tape.events)


def _tape_of_stand_in() -> Tape:
    """Return the tape of a hazard in what verify made up."""
    broken = _tape_of(_BROKEN)
    inside = f"{MADE_UP} `layer`"
    events = (replace(event, inside=inside) if isinstance(event, Save) else event for event in broken.events)
    return replace(broken, events=tuple(events))


def _repeat_checks(tape: Tape) -> Tape:
    checks = tuple(event for event in tape.events if isinstance(event, Check))
    return replace(tape, events=(*tape.events, *checks))


def _span_at(row: int) -> Span:
    return Span(FILE, row, 0, row, 9)
