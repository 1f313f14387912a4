"""The findings about operations that torch refuses at the call: the shared part of IP201 to IP207."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inplace_lsp.hazards import evidence
from inplace_lsp.hazards.assumptions import weigh_finding
from inplace_lsp.hazards.finding import Finding, Related
from inplace_lsp.hazards.hits import bumps_counter
from inplace_lsp.hazards.wording import (
    describe_place,
    drop_repeated_places,
    find_call_places,
    find_events_of_memory,
    find_origin_places,
    name_tensor,
)
from inplace_lsp.tape.autograd import Rejection, find_rejection
from inplace_lsp.tape.model import Refusal, Reject, SetData, Tape, When, Write

Reasons = frozenset[Rejection | Refusal]
"""Reasons for which torch refuses a write (a rejection) or a use (a refusal)."""


def find_refused_writes(tape: Tape, reasons: Reasons) -> Iterator[tuple[Write, When]]:
    """Yield the writes that torch refuses for one of the reasons, with the condition of the refusal."""
    for _, write in tape.events_of(Write):
        found = find_rejection(write)
        if found is not None and found[0] in reasons:
            yield write, found[1]


def find_refusals(tape: Tape, reasons: Reasons) -> Iterator[Reject]:
    """Yield the operations that torch refuses for one of the reasons."""
    return (reject for _, reject in tape.events_of(Reject) if reject.reason in reasons and reject.when)


def report_write(tape: Tape, code: str, title: str, write: Write, *, when: When, message: str) -> Finding:
    """Return the finding at a refused write."""
    related = (*find_origin_places(tape, write.tensor), *find_call_places(write))
    return report_at(tape, code, title, write, when=when, message=message, related=related)


def report_refusal(tape: Tape, code: str, title: str, reject: Reject, *, message: str) -> Finding:
    """Return the finding at a refused use."""
    related = find_origin_places(tape, reject.tensor)
    return report_at(tape, code, title, reject, when=reject.when, message=message, related=related)


def report_stale_view(tape: Tape, code: str, title: str, reject: Reject, *, kind: str) -> Finding:
    """Return the finding about a view that is used after a write to its base: the last write is to blame."""
    before = tape.events[: tape.events.index(reject)]
    counter = reject.tensor.counter
    writes = [
        event
        for event in before
        if isinstance(event, Write) and event.tensor.counter == counter and bumps_counter(event)
    ]
    blamed = writes[-1] if writes else reject
    view = name_tensor(reject.tensor, "a tensor")
    used = describe_place(reject.span, blamed.span)
    message = (
        f"this writes the memory of {view}, {kind}; {view} is used on {used}, where torch refuses it because its "
        "history is no longer known."
    )
    related = (Related("view", f"{view} is used here", reject.span), *find_origin_places(tape, reject.tensor))
    found = report_at(tape, code, title, reject, when=reject.when, message=message, related=related, blamed=blamed)
    return replace(found, span=blamed.span, conditions=tape.list_conditions((blamed, reject)), op=blamed.op)


def _needs_gradients(event: Write | SetData | Reject) -> bool:
    """Return whether this is harmless where gradients are off. Torch never writes to memory that overlaps, and never
    detaches a view in place."""
    found = find_rejection(event) if isinstance(event, Write) else None
    return found is None or found[0] not in (Rejection.OVERLAP, Rejection.DETACHED_VIEW)


def _doubt_scope(tape: Tape, event: Write | SetData | Reject) -> str:
    """Return why gradients may be off at the write of a leaf, "" if nothing says so: it stands inside a context manager
    that is not in sight, and programs write leaves where gradients are off."""
    scopes = tape.list_scopes((event,)) if _writes_leaf(event) else ()
    return f"{scopes[0]} may turn gradients off, as code that writes to leaves does" if scopes else ""


def _doubt_gradients(tape: Tape, event: Write | SetData | Reject, when: When) -> str:
    """Return why callers hardly run the code with gradients, "" if nothing says so: the name of a function on the way
    says that it processes what a trained model returns, or a condition that the program evaluates, and nothing in sight
    requires grad. A leaf that is written is mostly a parameter, which does."""
    if when.always or _writes_leaf(event) or not tape.trained.isdisjoint(when.inputs) or tape.calls_backward():
        return ""
    through = event.through if isinstance(event, Write) else ()
    after = next(filter(evidence.is_after_training, (tape.function, *through)), "")
    said = after or evidence.find_evaluation(tape.list_conditions((event,)))
    return f"`{said}` sounds like code that runs without gradients" if said else ""


def _writes_leaf(event: Write | SetData | Reject) -> bool:
    """Return whether this is a write that torch refuses because it changes a leaf."""
    refused = find_rejection(event) if isinstance(event, Write) else None
    return refused is not None and refused[0] in (Rejection.LEAF, Rejection.LEAF_VIEW)


def report_at(
    tape: Tape,
    code: str,
    title: str,
    event: Write | SetData | Reject,
    *,
    when: When,
    message: str,
    related: tuple[Related, ...] = (),
    blamed: Write | Reject | None = None,
) -> Finding:
    """Return a finding at `event`, as certain as `when`. `blamed`: the write that led to it, if it is none itself."""
    recorded = (event,) if _needs_gradients(event) else ()
    doubt = _doubt_scope(tape, event) or _doubt_gradients(tape, blamed or event, when)
    weight = weigh_finding(tape, when, doubt=doubt, recorded=recorded)
    return Finding(
        code=code,
        name=title,
        severity=weight.severity,
        message=message + weight.remark,
        assumptions=weight.assumed,
        negligible=weight.negligible,
        span=event.span,
        related=drop_repeated_places(related),
        function=tape.function,
        story=find_events_of_memory(tape, event.tensor),
        conditions=tape.list_conditions((event,)),
        after=tape.find_refusal_before(event),
        op="" if isinstance(event, SetData) else event.op,
    )
