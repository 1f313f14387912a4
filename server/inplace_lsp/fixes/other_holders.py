"""Find who else holds the written tensor and would miss the write: they make a repair unsafe.

Two witnesses must both be silent: the tape (other tensors on the same memory) and the source (the name handed on).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TypeGuard

import libcst as cst

from inplace_lsp.fixes.program.candidate import Use
from inplace_lsp.fixes.program.escapes import rows_handing_on
from inplace_lsp.fixes.program.later_reads import is_read_after
from inplace_lsp.fixes.program.makers import describe_makers, describe_makers_of_object
from inplace_lsp.fixes.program.on_tapes import (
    describe_unnamed_views,
    is_write,
    maker_rows,
    names_sharing_memory,
    only_turns,
)
from inplace_lsp.fixes.program.scopes import is_bound_in, is_parameter
from inplace_lsp.fixes.program.site import whole_tree
from inplace_lsp.fixes.program.written import writes_only_items
from inplace_lsp.tape.autograd import DETACH, TURNING
from inplace_lsp.tape.model import Event, Reject, Span, Tape, Write

_NO_VALUES = TURNING | {DETACH}
"""Writes that change a tensor object, and no values."""


def describe_holders(text: str, uses: Iterable[Use], tapes: Iterable[Tape]) -> list[str]:
    """Return a sentence for everybody who keeps the old values once the uses no longer write; empty if nobody does.

    `tapes` are those of the analysis of `text`.
    """
    tapes = list(tapes)
    found: list[str] = []
    for use in uses:
        found += [f"{statement} keeps the old values" for statement in use.stale]
        concerned = _tapes_of_write(use, tapes)
        found += _holders_in_source(text, use, concerned)
        found += _holders_on_tapes(text, use, concerned)
    return list(dict.fromkeys(found))


def is_result_unread(use: Use) -> bool:
    """Return whether nobody reads the name that the repair binds, so that the new values are lost."""
    alone = isinstance(use.statement, (cst.Expr, cst.AugAssign, cst.Assign))
    named = isinstance(use.written, cst.Name) and alone and not _is_in_lambda(use)
    if isinstance(use.statement, cst.Assign) and not writes_only_items(use.statement):
        return False
    return named and not is_read_after(
        use.tree, use.statement, use.tree.code_of(use.written or use.statement), even_to_write=False
    )


def has_another_name(text: str, uses: Iterable[Use], tapes: Iterable[Tape]) -> bool:
    """Return whether the memory that the uses write has another name, under which the write would be missed."""
    tapes = list(tapes)
    return any(
        _list_sharers(text, use, [tape for tape in _tapes_of_write(use, tapes) if _changes_values(use, tape)])
        for use in uses
    )


def _changes_values(use: Use, tape: Tape) -> bool:
    """Return whether the use writes memory, and does not only turn a tensor object or cut it off its graph."""
    place = use.tree.span_of(use.statement)
    return any(_is_write_on(event, place) and event.op not in _NO_VALUES for event in tape.events)


def _is_in_lambda(use: Use) -> bool:
    """Return whether a lambda in the statement writes: what it writes last, it returns."""
    return use.written is not None and isinstance(use.tree.function_of(use.written), cst.Lambda)


def _tapes_of_write(use: Use, tapes: Sequence[Tape]) -> list[Tape]:
    """Return the tapes on which the statement writes."""
    place = use.tree.span_of(use.statement)
    return [tape for tape in tapes if any(_is_write_on(event, place) for event in tape.events)]


def _holders_in_source(text: str, use: Use, concerned: Sequence[Tape]) -> Iterator[str]:
    if use.written is None:
        return
    name = use.tree.code_of(use.written)
    if isinstance(use.written, cst.Name):
        whole = whole_tree(text, use.tree.file) or use.tree
        made = {row for tape in concerned for row in maker_rows(tape, use.tree.span_of(use.statement))}
        rows = rows_handing_on(whole, use.tree, use.statement, name, made)
        yield from (f"`{name}` is handed on as it is on line {row}" for row in rows)
    else:
        yield f"whoever took `{name}` before keeps the old values"


def _holders_on_tapes(text: str, use: Use, concerned: Sequence[Tape]) -> Iterator[str]:
    place = use.tree.span_of(use.statement)
    name = use.tree.code_of(use.written) if use.written is not None else ""
    done = partial(_is_done_with, text, use)
    sharing = _list_sharers(text, use, concerned)
    if not concerned:
        yield "what else uses this memory is not known"
    if concerned and all(only_turns(tape, place) for tape in concerned):
        yield from dict.fromkeys(
            maker for tape in concerned for maker in describe_makers_of_object(text, tape, place, name, done)
        )
        return
    yield from _describe_sharers(sharing)
    for tape in concerned:
        yield from describe_unnamed_views(text, tape, place)
    makers = dict.fromkeys(maker for tape in concerned for maker in describe_makers(text, tape, place, name, done))
    yield from [maker for maker in makers if maker.startswith("the caller's")] or makers


def _list_sharers(text: str, use: Use, concerned: Sequence[Tape]) -> list[str]:
    """Return the other names for the written memory that the function is not done with."""
    place = use.tree.span_of(use.statement)
    name = use.tree.code_of(use.written) if use.written is not None else ""
    found = dict.fromkeys(other for tape in concerned for other in names_sharing_memory(tape, place, name))
    return [other for other in found if not _is_done_with(text, use, other)]


def _describe_sharers(names: Sequence[str]) -> Iterator[str]:
    if names:
        share, keep = ("share", "keep") if len(names) > 1 else ("shares", "keeps")
        yield f"`{'`, `'.join(names)}` {share} the memory and {keep} the old values"


def _is_done_with(text: str, use: Use, name: str) -> bool:
    """Return whether `name` is a local variable that nobody reads after the write and that was passed to nobody."""
    if name in use.gone:
        return True
    function = use.tree.function_of(use.statement)
    local = isinstance(function, cst.FunctionDef) and not is_parameter(function, name) and is_bound_in(function, name)
    if not local or is_read_after(use.tree, use.statement, name):
        return False
    whole = whole_tree(text, use.tree.file) or use.tree
    return not [*rows_handing_on(whole, use.tree, use.statement, name, ())]


def _is_write_on(event: Event, place: Span) -> TypeGuard[Write | Reject]:
    return is_write(event) and event.span.file == place.file and event.span.row == place.row
