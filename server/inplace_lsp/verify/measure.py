"""Measure the memory of a function's forward and backward: as it is, and with writes in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from inplace_lsp.messages.answers import Answer, RunReport
from inplace_lsp.messages.inputs import Inputs
from inplace_lsp.tape.memory_use import MemoryUse
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.compare import Prediction
from inplace_lsp.verify.gradients import largest_difference
from inplace_lsp.verify.inputs.model import Missing, describe_inputs
from inplace_lsp.verify.launch import Cancelled, never_cancelled
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.prove import NO_INPUTS, Subject, find_inputs, predict_subject
from inplace_lsp.verify.trials import Trials


@dataclass(frozen=True)
class Measurement:
    """The memory that a function needs (None: it could not be run, `why`), with what it was run.

    `changed` is that of the changed text, if there is one; `difference` says how its gradients differ, or why it did
    not run.
    """

    function: str
    use: MemoryUse | None
    changed: MemoryUse | None = None
    why: str = ""
    difference: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    source: str = "inferred"
    torch: str = ""
    device: str = "cpu"
    seed: int = 0


def measure(
    subject: Subject,
    changed: str | None,
    client: Client,
    options: Options,
    cancelled: Cancelled = never_cancelled,
    predicted: Prediction | None = None,
) -> Measurement:
    """Run the subject with the first inputs that it accepts, and the `changed` text of its file with the same ones.

    Raises LaunchError or DeviceError if nothing can be run at all.
    """
    hello = client.hello(cancelled)
    device = options.choose_device(hello)
    job = replace(subject.build_job(options, device), measures=True)
    predicted = predicted or predict_subject(subject)
    trials = Trials(client, job, cancelled)
    found = _measure_first(subject, trials, predicted)
    unmeasured = Measurement(subject.target.name, None, torch=hello.torch, device=device, seed=options.seed)
    if isinstance(found, str):
        return replace(unmeasured, why=found)
    inputs, answer = found
    told = replace(unmeasured, use=_use_of(answer), arguments=describe_inputs(inputs), source=inputs.source)
    if changed is None:
        return told
    again = Trials(client, replace(job, text=changed), cancelled).run(_with_text(inputs, subject.filename, changed))
    return replace(told, changed=_use_of(again), difference=_describe_difference(answer, again))


def _measure_first(subject: Subject, trials: Trials, predicted: Prediction) -> tuple[Inputs, Answer] | str:
    """Return the first inputs with which the subject runs to its end, and what was measured; else why there are
    none."""
    why = NO_INPUTS
    for inputs in find_inputs(subject, trials, predicted):
        if isinstance(inputs, Missing):
            return why if trials.runs else inputs.what
        answer = trials.run(inputs)
        if (failed := _why_failed(answer)) == "":
            return inputs, answer
        why = failed
        if trials.are_over():
            break
    return why


def _why_failed(answer: Answer) -> str:
    reports = (answer.plain, answer.recorded)
    if answer.failed or None in reports:
        return answer.failed or "the run was cancelled"
    return next((why for report in reports if report is not None and (why := _why_broken(report))), "")


def _why_broken(report: RunReport) -> str:
    return report.failed or report.error or ("the run's memory was not measured" if report.memory is None else "")


def _use_of(answer: Answer) -> MemoryUse | None:
    """Return what both runs have measured: one the peak, the other the lines."""
    plain, counted = (report.memory if report is not None else None for report in (answer.plain, answer.recorded))
    if plain is None or counted is None:
        return None
    return replace(counted, peak=plain.peak, counter=plain.counter)


def _with_text(inputs: Inputs, filename: str, text: str) -> Inputs:
    """Return inputs whose driver, if that is the file itself, has its changed text."""
    if inputs.driver is None or inputs.driver.filename != filename:
        return inputs
    return replace(inputs, driver=replace(inputs.driver, text=text))


def _describe_difference(before: Answer, after: Answer) -> str:
    if failed := _why_failed(after):
        return failed
    assert before.plain is not None and after.plain is not None
    return largest_difference(after.plain.gradients, before.plain.gradients)
