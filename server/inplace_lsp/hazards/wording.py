"""Words and related places that several hazards use."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from inplace_lsp.hazards.finding import Related, Role
from inplace_lsp.hazards.parts import name_writer
from inplace_lsp.tape.model import Backward, Event, Save, Span, Tape, TensorState, View, ViewKind, Write

_ENTRY = ".__entry__`"
"""Last part of `Backward.inside` if a framework drives the class."""


def name_tensor(tensor: TensorState, otherwise: str = "this tensor") -> str:
    """Return the name of the tensor in code quotes, as the reader knows it."""
    return f"`{tensor.name}`" if tensor.name else otherwise


def describe_write(tape: Tape, write: Write, otherwise: str = "this tensor") -> str:
    """Describe a write for the reader: "`add_` writes `x`", "this assignment writes a part of `x`"."""
    part = is_part(tape, write)
    what = name_writer(write)
    who = what.replace("an ", "this ", 1) if " " in what else f"`{what}`"
    written = name_tensor(write.tensor, otherwise)
    return f"{who} writes {'a part of ' if part and write.tensor.name else ''}{written}"


def is_part(tape: Tape, write: Write) -> bool:
    """Return whether the writing statement itself takes a part of a tensor (`x[0] = 1`, `x.t()[0] += 1`)."""
    made = tape.origins.get(write.tensor.id)
    return isinstance(made, View) and made.span == write.span


def describe_versions(write: Write) -> str:
    """Describe the change of the version counter."""
    inside = f"; {write.inside}" if write.inside else ""
    return f"version {write.tensor.version} -> {write.version_after}{inside}"


def describe_place(span: Span, seen_from: Span) -> str:
    """Name a line, with its file if it is another one."""
    return f"line {span.row}" if span.file == seen_from.file else f"line {span.row} of {span.file}"


def find_events_of_memory(tape: Tape, *tensors: TensorState) -> tuple[Event, ...]:
    """Return the events that concern the memory of `tensors`, oldest first."""
    storages = {tensor.storage for tensor in tensors}
    placed = [item for storage in storages for item in tape.by_storage.get(storage, ())]
    saved = {event.key: at for at, event in reversed(placed) if isinstance(event, Save)}
    placed += [item for key, at in saved.items() for item in tape.checks_by_save.get(key, ()) if item[0] > at]
    return tuple(event for _, event in sorted(placed, key=itemgetter(0)))


def drop_repeated_places(related: Iterable[Related]) -> tuple[Related, ...]:
    """Return the related places in order, each role and line once."""
    seen: dict[tuple[Role, str, int], Related] = {}
    for place in related:
        seen.setdefault((place.role, place.span.file, place.span.row), place)
    return tuple(seen.values())


def find_origin_places(tape: Tape, tensor: TensorState) -> tuple[Related, ...]:
    """Return the place where this leaf, view or alias was made, if the tape has it."""
    made = tape.origins.get(tensor.id)
    if isinstance(made, View):
        return (_relate_view(made),)
    if made is None or not tensor.leaf:
        return ()
    return (Related("leaf", f"{name_tensor(tensor)} is made here", made.span),)


def _relate_view(view: View) -> Related:
    if view.tensor.counter == view.of.counter and view.of.name and view.tensor.name in ("", view.of.name):
        return Related("view", f"a part of {name_tensor(view.of)} is taken here (`{view.op}`)", view.span)
    taken, base = name_tensor(view.tensor, "a tensor"), name_tensor(view.of, "another tensor")
    shares = f"{taken} shares memory with {base} from here on (`{view.op}`)"
    if view.tensor.counter != view.of.counter:
        return Related("alias", f"{shares}, but not its version counter", view.span)
    return Related("alias" if view.tensor.view is ViewKind.NONE else "view", shares, view.span)


def relate_backward(backward: Backward | None, message: str) -> tuple[Related, ...]:
    """Return the backward as a related place, unless a caller may start it later."""
    if backward is None or backward.assumed:
        return ()
    own, span = describe_backward(backward)
    return (Related("backward", message.replace("this backward", own), span),)


def describe_backward(backward: Backward) -> tuple[str, Span]:
    """Return what to call a backward, and its place: for one that a framework runs, the line where the program returns
    the loss to it."""
    framework, is_driven, _ = backward.inside.partition(_ENTRY)
    if is_driven and backward.returned_at is not None:
        return f"the backward that {framework}` runs on what `{backward.returned_by}` returns", backward.returned_at
    return "the backward that verify runs on the result" if backward.by_verify else "this backward", backward.span


def find_call_places(write: Write) -> tuple[Related, ...]:
    """Return the call that leads to the write and the place of its `inplace=True`, if any."""
    call = (Related("written", "reached through this call", write.call),) if write.call else ()
    flag = (Related("written", "the write in place is requested here", write.declared),) if write.declared else ()
    return (*call, *flag)
