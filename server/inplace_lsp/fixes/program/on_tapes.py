"""Find the tensors on a tape that share the written memory and existed before the last write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

import libcst as cst

from inplace_lsp.fixes.program.site import site_at
from inplace_lsp.fixes.program.written import writes_only_items
from inplace_lsp.tape.autograd import TURNING
from inplace_lsp.tape.model import (
    Actor,
    Create,
    Event,
    Refusal,
    Reject,
    Save,
    Span,
    Tape,
    TensorState,
    View,
    ViewKind,
    Write,
)

INPUTS = frozenset({"input", ""})
"""The ops of tensors that no op has made: arguments, results of unknown calls."""


def names_sharing_memory(tape: Tape, place: Span, name: str) -> Iterator[str]:
    """Yield the names, except `name`, of tensors in the memory that the statement at `place` writes."""
    storages = written_storages(tape, place)
    names, others = _last_names(tape), _other_pieces(tape, place)
    kept = {other.role for other in tape.events if isinstance(other, Save) and other.role.startswith("ctx.")}
    for event in _events_until_write(tape, place):
        for state in tensor_states(event):
            other = names.get(state.id, "")
            is_other = _is_name(other) and other != name and other not in kept
            if is_other and state.storage in storages and state.id not in others:
                yield other


def describe_unnamed_views(text: str, tape: Tape, place: Span) -> Iterator[str]:
    """Yield a sentence for each unnamed view of that memory that may still be in use."""
    storages, names, others = written_storages(tape, place), _last_names(tape), _other_pieces(tape, place)
    for event in _events_until_write(tape, place):
        unnamed = isinstance(event, View) and event.tensor.id not in {*names, *others}
        if isinstance(event, View) and unnamed and event.tensor.storage in storages:
            yield from _describe_view(text, event, place)


def is_moved_by_steps(tape: Tape, place: Span) -> bool:
    """Return whether the statement at `place` writes a tensor, or a part of one, that an optimizer steps."""
    written = {id for event in tape.events if writes_at(event, place) for id in (event.tensor.id, event.tensor.base)}
    steps = (event for event in tape.events if isinstance(event, Write) and event.actor is Actor.STEP)
    return any(step.tensor.id in written for step in steps)


def only_turns(tape: Tape, place: Span) -> bool:
    """Return whether the statement at `place` writes no memory, but only turns the dimensions of a tensor object."""
    return all(isinstance(event, Write) and event.op in TURNING for event in tape.events if writes_at(event, place))


def maker_rows(tape: Tape, place: Span) -> Iterator[int]:
    """Yield the rows of the function at `place` where that memory was allocated, or from where the code was called
    that did; 0 if by a caller, or if that is not known."""
    storages = written_storages(tape, place)
    made = [event for event in tape.events if isinstance(event, Create) and event.tensor.storage in storages]
    for create in made:
        writing = find_way_to_write(tape, place, create.tensor.storage)
        way = find_way_to_maker(tape, create)
        led = (*(writing if way is None else way), create.span)
        depth = len(writing)
        known = create.op not in INPUTS and len(led) > depth and led[:depth] == writing
        yield led[depth].row if known and led[depth].file == place.file else 0


def find_way_to_write(tape: Tape, place: Span, storage: int) -> tuple[Span, ...]:
    """Return the calls that led to the write at `place` to that memory."""
    here = (event for event in tape.events if writes_at(event, place) and event.tensor.storage == storage)
    return next((event.calls for event in here if isinstance(event, Write)), ())


def find_way_to_maker(tape: Tape, made: Create | View) -> tuple[Span, ...] | None:
    """Return the calls that led to the op that made a tensor, as what this op keeps tells; None if it keeps nothing."""
    at = next(index for index, event in enumerate(tape.events) if event is made)
    beside = (*reversed(tape.events[max(at - 1, 0) : at]), *tape.events[at + 1 : at + 2])
    return next((event.calls for event in beside if isinstance(event, Save) and event.span == made.span), None)


def written_storages(tape: Tape, place: Span) -> set[int]:
    """Return the memory that the statement at `place` writes."""
    return {event.tensor.storage for event in tape.events if writes_at(event, place)}


def _other_pieces(tape: Tape, place: Span) -> set[int]:
    """Return the pieces that were split off together with a written one, and views of them: they have no element in
    common with it."""
    written = {event.tensor.id for event in tape.events if writes_at(event, place)}
    views = [event for event in tape.events if isinstance(event, View)]
    pieces = [view for view in views if view.tensor.view is ViewKind.MULTI_OUTPUT]
    made = {(piece.span, piece.of.id): piece for piece in pieces if piece.tensor.id in written}
    storages = Counter(piece.of.storage for piece in made.values())
    apart = {key for key, piece in made.items() if not piece.of.overlapping and storages[piece.of.storage] == 1}
    others = {piece.tensor.id for piece in pieces if (piece.span, piece.of.id) in apart} - written
    for view in views:
        if view.of.id in others:
            others.add(view.tensor.id)
    return others - written


def _events_until_write(tape: Tape, place: Span) -> Iterator[Event]:
    """Yield the events before the last write at a place to the memory that they are about."""
    last = {event.tensor.storage: at for at, event in enumerate(tape.events) if writes_at(event, place)}
    for at, event in enumerate(tape.events):
        if any(at <= last.get(state.storage, -1) for state in tensor_states(event)):
            yield event


def _last_names(tape: Tape) -> dict[int, str]:
    """Return the last name of each tensor."""
    return {state.id: state.name for event in reversed(tape.events) for state in tensor_states(event) if state.name}


def _describe_view(text: str, view: View, place: Span) -> Iterator[str]:
    if not _is_inside(view.span, place) and not _dies_at_once(text, view, place):
        yield f"the view made on line {view.span.row} (`{view.op}`) shares the memory and keeps the old values"


def _dies_at_once(text: str, view: View, place: Span) -> bool:
    """Return whether the statement that makes a view only computes with it or writes through it."""
    site = site_at(text, view.span) if view.span.file == place.file else None
    if site is None:
        return False
    statement = site.statement
    if isinstance(statement, cst.AugAssign):
        return True
    if not isinstance(statement, (cst.Assign, cst.AnnAssign, cst.Return, cst.Expr)):
        return False
    if isinstance(statement.value, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison)):
        return True
    if isinstance(statement.value, cst.Call) and isinstance(statement.value.func, cst.Attribute):
        return _keeps_no_view(statement, statement.value, statement.value.func.attr.value, view)
    return isinstance(statement, cst.Assign) and writes_only_items(statement)


def _keeps_no_view(statement: cst.BaseSmallStatement, call: cst.Call, method: str, view: View) -> bool:
    """Return whether a statement writes in place, or binds the result of an op other than the view's."""
    if isinstance(statement, cst.Expr):
        return method.endswith("_")
    return method != view.op and _is_torch_op(call, view.op)


def _is_torch_op(call: cst.Call, receiver: str) -> bool:
    """Return whether a call is an op (`x.view(-1).sum()`, `torch.sum(x[0])`), not a user's method that may keep its
    argument. `receiver`: what follows this op in a chain of calls is called on a tensor."""
    node: cst.BaseExpression = call
    while isinstance(node, (cst.Attribute, cst.Call, cst.Subscript)):
        node = node.func if isinstance(node, cst.Call) else node.value
        if isinstance(node, cst.Attribute) and node.attr.value == receiver and node is not call.func:
            return True
    return isinstance(node, cst.Name) and node.value != "self"


def is_write(event: Event) -> TypeGuard[Write | Reject]:
    """Return whether an event is a write, or a refused call with `out=`."""
    return isinstance(event, Write) or (isinstance(event, Reject) and event.reason is Refusal.OUT_REQUIRES_GRAD)


def writes_at(event: Event, place: Span) -> TypeGuard[Write | Reject]:
    """Return whether an event is a write by the statement at `place`."""
    return is_write(event) and _is_inside(event.span, place)


def _is_inside(span: Span, place: Span) -> bool:
    return (
        span.file == place.file and (place.row, place.column) <= (span.row, span.column) and span.row <= place.end_row
    )


def tensor_states(event: Event) -> tuple[TensorState, ...]:
    """Return the tensor of an event, and for a view also what it is a view of."""
    if isinstance(event, View):
        return event.of, event.tensor
    tensor = getattr(event, "tensor", None)
    return (tensor,) if isinstance(tensor, TensorState) else ()


def _is_name(text: str) -> bool:
    return bool(text) and all(part.isidentifier() for part in text.split("."))
