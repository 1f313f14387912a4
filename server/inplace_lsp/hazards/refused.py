"""The findings about operations that torch refuses on the spot: what IP201 to IP207 share."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.assumptions import weigh
from inplace_lsp.hazards.finding import Finding, Related
from inplace_lsp.hazards.hits import is_counted
from inplace_lsp.hazards.wording import name, origin, place, story, unique, written_through
from inplace_lsp.tape.autograd import Rejection, rejection
from inplace_lsp.tape.model import Refusal, Reject, Span, Tape, TensorState, When, Write


def refused_writes(tape: Tape, *why: Rejection) -> Iterator[tuple[Write, When]]:
    """The writes that torch refuses for one of the reasons `why`, each with the condition under which it does."""
    for _, write in tape.each(Write):
        found = rejection(write)
        if found is not None and found[0] in why:
            yield write, found[1]


def refusals(tape: Tape, why: Refusal) -> Iterator[Reject]:
    """The operations that torch refuses for the reason `why`."""
    return (reject for _, reject in tape.each(Reject) if reject.reason is why and reject.when)


def of_write(tape: Tape, code: str, title: str, write: Write, *, when: When, message: str) -> Finding:
    """The finding at a refused write."""
    related = (*origin(tape, write.tensor), *written_through(write))
    return at(tape, code, title, write.span, write.tensor, when=when, message=message, related=related)


def stale(tape: Tape, code: str, title: str, reject: Reject, *, kind: str) -> Finding:
    """A view that cannot be given a new history is used after its memory was written: the last write is to blame."""
    before = tape.events[: tape.events.index(reject)]
    counter = reject.tensor.counter
    writes = [one for one in before if isinstance(one, Write) and one.tensor.counter == counter and is_counted(one)]
    span = writes[-1].span if writes else reject.span
    view = name(reject.tensor, "a tensor")
    used = place(reject.span, span)
    message = (
        f"this writes the memory of {view}, {kind}; {view} is used on {used}, where torch refuses it because its "
        "history can no longer be told."
    )
    related = (Related("view", f"{view} is used here", reject.span), *origin(tape, reject.tensor))
    return at(tape, code, title, span, reject.tensor, when=reject.when, message=message, related=related)


def at(
    tape: Tape,
    code: str,
    title: str,
    span: Span,
    tensor: TensorState,
    *,
    when: When,
    message: str,
    related: tuple[Related, ...] = (),
) -> Finding:
    """A finding about `tensor` at `span`, sure as far as `when` is."""
    weight = weigh(tape, when)
    return Finding(
        code=code,
        name=title,
        severity=weight.severity,
        message=message + weight.remark,
        assumptions=weight.assumed,
        span=span,
        related=unique(related),
        function=tape.function,
        story=story(tape, tensor),
    )
