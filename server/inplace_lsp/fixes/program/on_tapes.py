"""Which tensors on a tape share the memory of a written one and were there before the last write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeGuard

import libcst as cst

from inplace_lsp.fixes.program.site import site_at, tree_at
from inplace_lsp.tape.model import Create, Event, Refusal, Reject, Save, Span, Tape, TensorState, View, ViewKind, Write

INPUTS = frozenset({"input", ""})
"""The ops of tensors that no op has made: arguments, results of unknown calls."""


def sharing(tape: Tape, place: Span, name: str) -> Iterator[str]:
    """The names of what holds the memory that the statement at `place` writes, apart from `name`."""
    storages = _written(tape, place)
    names, others = _names(tape), _other_pieces(tape, place)
    kept = {one.role for one in tape.events if isinstance(one, Save) and one.role.startswith("ctx.")}
    for event in _until_last_write(tape, place):
        for state in _states(event):
            other = names.get(state.id, "")
            is_other = _is_name(other) and other != name and other not in kept
            if is_other and state.storage in storages and state.id not in others:
                yield other


def unnamed_views(text: str, tape: Tape, place: Span) -> Iterator[str]:
    """What views of that memory without a name may still be in use."""
    storages, names, others = _written(tape, place), _names(tape), _other_pieces(tape, place)
    for event in _until_last_write(tape, place):
        unnamed = isinstance(event, View) and event.tensor.id not in {*names, *others}
        if isinstance(event, View) and unnamed and event.tensor.storage in storages:
            yield from _of_unnamed_view(text, event, place)


def makers_of(text: str, tape: Tape, place: Span, name: str, done: Callable[[str], bool]) -> Iterator[str]:
    """Who made that memory and may keep it, besides the function that writes it under `name`, or made it under another
    name that it is `done` with."""
    for storage in _written(tape, place):
        yield from _of_maker(text, tape, storage, place, name, done)


def rows_of_makers(tape: Tape, place: Span) -> Iterator[int]:
    """The rows on which that memory came into being; 0 for another file, and for what came from outside."""
    storages = _written(tape, place)
    made = [one for one in tape.events if isinstance(one, Create) and one.tensor.storage in storages]
    yield from (one.span.row if one.span.file == place.file and one.op not in INPUTS else 0 for one in made)


def _written(tape: Tape, place: Span) -> set[int]:
    return {event.tensor.storage for event in tape.events if _writes_at(event, place)}


def _other_pieces(tape: Tape, place: Span) -> set[int]:
    """The pieces that were made together with the written one: they have no element in common with it."""
    written = {event.tensor.id for event in tape.events if _writes_at(event, place)}
    pieces = [one for one in tape.events if isinstance(one, View) and one.tensor.view is ViewKind.MULTI_OUTPUT]
    made = {(one.span, one.of.id) for one in pieces if one.tensor.id in written and not one.of.overlapping}
    together = {one.tensor.id for one in pieces if (one.span, one.of.id) in made}
    return together - written if len(made) == 1 else set()


def _until_last_write(tape: Tape, place: Span) -> Sequence[Event]:
    last = max((at for at, event in enumerate(tape.events) if _writes_at(event, place)), default=-1)
    return tape.events[: last + 1]


def _names(tape: Tape) -> dict[int, str]:
    """The name that each tensor has in the end."""
    return {state.id: state.name for event in reversed(tape.events) for state in _states(event) if state.name}


def _of_unnamed_view(text: str, view: View, place: Span) -> Iterator[str]:
    if not _overlap(view.span, place) and not _dies_at_once(text, view, place):
        yield f"the view made on line {view.span.row} (`{view.op}`) shares the memory and keeps the old values"


def _dies_at_once(text: str, view: View, place: Span) -> bool:
    """Whether the statement that made a view only computes with it, or writes through it."""
    site = site_at(text, view.span) if view.span.file == place.file else None
    statement = site.statement if site else None
    if isinstance(statement, cst.AugAssign):
        return True
    value = getattr(statement, "value", None)
    if isinstance(statement, (cst.Assign, cst.AnnAssign, cst.Return, cst.Expr)):
        if isinstance(value, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison)):
            return True
        if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
            method = value.func.attr.value
            return method.endswith("_") if isinstance(statement, cst.Expr) else method != view.op and _is_op(value)
    if isinstance(statement, cst.Assign):
        return all(isinstance(one.target, cst.Subscript) for one in statement.targets)
    return False


def _is_op(call: cst.Call) -> bool:
    """`x.view(-1).sum()`, `torch.sum(x[0])`: not a method of the user's own object, which might keep what it gets."""
    node: cst.BaseExpression = call
    while isinstance(node, (cst.Attribute, cst.Call, cst.Subscript)):
        node = node.func if isinstance(node, cst.Call) else node.value
    return isinstance(node, cst.Name) and node.value != "self"


def _of_maker(
    text: str, tape: Tape, storage: int, place: Span, name: str, done: Callable[[str], bool]
) -> Iterator[str]:
    made = [one for one in tape.events if isinstance(one, Create) and one.tensor.storage == storage]
    if not made or made[0].op in INPUTS:
        yield f"the caller's `{name}` no longer changes" if name else "the caller's tensor no longer changes"
    elif made[0].span.file != place.file:
        yield f"line {made[0].span.row} of another file made this tensor and may keep it"
    elif _function(text, made[0].span) != _function(text, place):
        yield f"line {made[0].span.row}, in another function, made this tensor and may keep it"
    elif name and not any(one == name or done(one) for one in _bound_at(text, made[0].span)):
        yield f"line {made[0].span.row} made this tensor under another name"


def _bound_at(text: str, place: Span) -> list[str]:
    """What the statement at `place` gives its result to."""
    site = site_at(text, place)
    statement = site.statement if site else None
    if site is None or not isinstance(statement, (cst.Assign, cst.AnnAssign, cst.AugAssign)):
        return []
    targets = [one.target for one in statement.targets] if isinstance(statement, cst.Assign) else [statement.target]
    return [site.tree.code(one) for target in targets for one in _elements(target)]


def _elements(target: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(target, (cst.Tuple, cst.List)):
        return [inner for element in target.elements for inner in _elements(element.value)]
    return [target]


def _function(text: str, place: Span) -> tuple[int, int] | None:
    """Where the function around a place begins."""
    tree = tree_at(text, place)
    nodes = tree.covering(place) if tree else []
    functions = [node for node in nodes if isinstance(node, cst.FunctionDef)]
    if tree is None or not functions:
        return None
    span = tree.span(functions[-1])
    return span.row, span.column


def is_write(event: Event) -> TypeGuard[Write | Reject]:
    """A write, or a call with `out=` that torch refuses to make one."""
    return isinstance(event, Write) or (isinstance(event, Reject) and event.reason is Refusal.OUT_REQUIRES_GRAD)


def _writes_at(event: Event, place: Span) -> TypeGuard[Write | Reject]:
    return is_write(event) and _overlap(event.span, place)


def _overlap(span: Span, place: Span) -> bool:
    return (
        span.file == place.file and (place.row, place.column) <= (span.row, span.column) and span.row <= place.end_row
    )


def _states(event: Event) -> tuple[TensorState, ...]:
    if isinstance(event, View):
        return event.of, event.tensor
    tensor = getattr(event, "tensor", None)
    return (tensor,) if isinstance(tensor, TensorState) else ()


def _is_name(text: str) -> bool:
    return bool(text) and all(part.isidentifier() for part in text.split("."))
