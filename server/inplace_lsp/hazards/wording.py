"""Words and related places that several hazards use."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from inplace_lsp.hazards.finding import Related, Role
from inplace_lsp.tape.model import Backward, Event, Save, Span, Tape, TensorState, View, ViewKind, Write


def name(tensor: TensorState, otherwise: str = "this tensor") -> str:
    """The tensor as the reader knows it, in code quotes."""
    return f"`{tensor.name}`" if tensor.name else otherwise


def versions(write: Write) -> str:
    """How the write moves the version counter."""
    inside = f"; {write.inside}" if write.inside else ""
    return f"version {write.tensor.version} -> {write.version_after}{inside}"


def place(span: Span, seen_from: Span) -> str:
    """A line, with its file where that is another one."""
    return f"line {span.row}" if span.file == seen_from.file else f"line {span.row} of {span.file}"


def story(tape: Tape, *tensors: TensorState) -> tuple[Event, ...]:
    """The events that concern the memory of `tensors`, oldest first."""
    storages = {tensor.storage for tensor in tensors}
    placed = [one for storage in storages for one in tape.by_storage.get(storage, ())]
    saved = {event.key: at for at, event in reversed(placed) if isinstance(event, Save)}
    placed += [one for key, at in saved.items() for one in tape.checks_by_save.get(key, ()) if one[0] > at]
    return tuple(event for _, event in sorted(placed, key=itemgetter(0)))


def unique(related: Iterable[Related]) -> tuple[Related, ...]:
    """Related places in order, each role and line once."""
    seen: dict[tuple[Role, str, int], Related] = {}
    for one in related:
        seen.setdefault((one.role, one.span.file, one.span.row), one)
    return tuple(seen.values())


def origin(tape: Tape, tensor: TensorState) -> tuple[Related, ...]:
    """Where the leaf, view or alias that `tensor` is was made, as far as the tape tells."""
    made = tape.made.get(tensor.id)
    if isinstance(made, View):
        return (_of_view(made),)
    if made is None or not tensor.leaf:
        return ()
    return (Related("leaf", f"{name(tensor)} is made here", made.span),)


def _of_view(view: View) -> Related:
    one, other = name(view.tensor, "a tensor"), name(view.of, "another tensor")
    shares = f"{one} shares memory with {other} from here on (`{view.op}`)"
    if view.tensor.counter != view.of.counter:
        return Related("alias", f"{shares}, but not its version counter", view.span)
    return Related("alias" if view.tensor.view is ViewKind.NONE else "view", shares, view.span)


def backward_place(backward: Backward | None, message: str) -> tuple[Related, ...]:
    """The backward as a related place, unless it is one that a caller may start later."""
    return () if backward is None or backward.assumed else (Related("backward", message, backward.span),)


def written_through(write: Write) -> tuple[Related, ...]:
    """The call through which the write was reached and the place of its `inplace=True`, where there are such."""
    call = (Related("written", "reached through this call", write.call),) if write.call else ()
    flag = (Related("written", "the write in place is asked for here", write.declared),) if write.declared else ()
    return (*call, *flag)
