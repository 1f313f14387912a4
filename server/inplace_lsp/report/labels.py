"""Label statements with their events: the version after a write, and what an op saves at which version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.parts import is_by_backward
from inplace_lsp.report.predicted_tape import find_tape
from inplace_lsp.report.safe_writes import TapeDescriber
from inplace_lsp.report.story import find_end
from inplace_lsp.tape.autograd import PRIVATE, find_rejection, keeps_nothing
from inplace_lsp.tape.model import Event, Save, Tape, TensorState, Write

Labels = dict[tuple[int, int], list[str]]
"""Labels by the end of the statement they belong to."""


def make_labels(analysis: Analysis, wanted: str, file: str) -> Labels:
    """Return the labels in `file`: of all events (`all`), or of those of the hazards."""
    return _collect_labels(_select_tapes(analysis, wanted), file)


def _select_tapes(analysis: Analysis, wanted: str) -> Iterable[Tape]:
    """Return the tapes to show: all events, or the stories of the hazards up to the error."""
    if wanted == "all":
        return [replace(tape, events=tuple(_list_reached_events(tape))) for tape in analysis.tapes]
    return [_cut_to_story(analysis, finding) for finding in analysis.findings]


def _list_reached_events(tape: Tape) -> Iterator[Event]:
    """Yield the events before torch raises, and later ones on other lines. Leave out further rounds of a loop that the
    error ends."""
    end = find_end(tape)
    yield from tape.events[:end]
    seen = {event.span for event in tape.events[:end]}
    yield from (event for event in tape.events[end:] if event.span not in seen)


def _cut_to_story(analysis: Analysis, finding: Finding) -> Tape:
    """Return the events of a finding's tensors up to the error."""
    tape = find_tape(analysis.tapes, finding)
    end = find_end(tape, finding.span)
    reached = set(map(id, tape.events[:end]))
    return Tape(finding.function, tuple(event for event in finding.story if id(event) in reached))


def _collect_labels(tapes: Iterable[Tape], file: str) -> Labels:
    found: Labels = {}
    for tape in tapes:
        teller = TapeDescriber(tape)
        for event in tape.events:
            if isinstance(event, (Save, Write)) and event.span.file == file:
                labels = found.setdefault((event.span.end_row, event.span.end_column), [])
                label = make_label(event, teller)
                if label and label not in labels:
                    labels.append(label)
    return found


def make_label(event: Save | Write, teller: TapeDescriber) -> str:
    """Return the label after the statement of an event, "" for none."""
    name = _find_local_name(event.tensor, teller)
    if isinstance(event, Save):
        kept = event.when and not keeps_nothing(event) and event.role != PRIVATE
        return f"{event.op} keeps {name} v{event.tensor.version}" if kept else ""
    refused = find_rejection(event)
    if refused is not None and refused[1].always:
        return f"{name} stays v{event.tensor.version}: torch refuses"
    unseen = teller.find_unseen_tensor(event)
    if unseen is not None:
        return f"{_find_local_name(unseen, teller)} stays v{unseen.version}: unseen"
    return "" if is_by_backward(event) else f"{name} v{event.tensor.version} → v{event.version_after}"


def _find_local_name(tensor: TensorState, teller: TapeDescriber) -> str:
    """Return the tensor's name in the function of the event, or a description if it has none there."""
    return tensor.name or teller.name_of(tensor).strip("`")
