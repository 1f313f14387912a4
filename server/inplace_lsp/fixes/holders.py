"""Who else holds the written tensor and would no longer see the write: what makes a repair unsafe.

Two witnesses must both be silent: the tape (other tensors on the same memory) and the source (the name handed on).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import libcst as cst

from inplace_lsp.fixes.program.candidate import Use
from inplace_lsp.fixes.program.flow import is_read_after
from inplace_lsp.fixes.program.handed_on import handed_on
from inplace_lsp.fixes.program.on_tapes import is_write, makers_of, rows_of_makers, sharing, unnamed_views
from inplace_lsp.fixes.program.scopes import is_bound_in, is_parameter
from inplace_lsp.fixes.program.site import whole_tree
from inplace_lsp.tape.model import Event, Span, Tape


def holders(text: str, uses: Iterable[Use], tapes: Iterable[Tape]) -> list[str]:
    """What keeps the old values once the uses write no more; empty where nothing does.

    `tapes` are those of the analysis of `text`.
    """
    tapes = list(tapes)
    found: list[str] = []
    for use in uses:
        found += [f"{one} keeps the old values" for one in use.stale]
        concerned = _concerned(use, tapes)
        found += _in_source(text, use, concerned)
        found += _on_tapes(text, use, concerned)
    return list(dict.fromkeys(found))


def vanish(use: Use) -> bool:
    """Whether nobody reads the name that the repair gives the new values, so that they are lost."""
    alone = isinstance(use.statement, (cst.Expr, cst.AugAssign, cst.Assign))
    named = isinstance(use.written, cst.Name) and alone
    if isinstance(use.statement, cst.Assign) and not _writes_item(use.statement):
        return False
    return named and not is_read_after(use.tree, use.statement, use.tree.code(use.written or use.statement))


def _writes_item(statement: cst.Assign) -> bool:
    return all(isinstance(one.target, cst.Subscript) for one in statement.targets)


def _concerned(use: Use, tapes: Sequence[Tape]) -> list[Tape]:
    """The tapes on which the statement writes."""
    place = use.tree.span(use.statement)
    return [tape for tape in tapes if any(_is_write_on(event, place) for event in tape.events)]


def _in_source(text: str, use: Use, concerned: Sequence[Tape]) -> Iterator[str]:
    if use.written is None:
        return
    name = use.tree.code(use.written)
    if isinstance(use.written, cst.Name):
        whole = whole_tree(text, use.tree.file) or use.tree
        made = {row for tape in concerned for row in rows_of_makers(tape, use.tree.span(use.statement))}
        rows = handed_on(whole, use.tree, use.statement, name, made)
        yield from (f"`{name}` is handed on as it is on line {row}" for row in rows)
    else:
        yield f"whoever took `{name}` before keeps the old values"


def _on_tapes(text: str, use: Use, concerned: Sequence[Tape]) -> Iterator[str]:
    place = use.tree.span(use.statement)
    name = use.tree.code(use.written) if use.written is not None else ""
    if not concerned:
        yield "the tape does not show what else is in this memory"
    found = dict.fromkeys(other for tape in concerned for other in sharing(tape, place, name))
    others = [one for one in found if not _is_done_with(text, use, one)]
    if others:
        verbs = ("share", "keep") if len(others) > 1 else ("shares", "keeps")
        yield f"`{'`, `'.join(others)}` {verbs[0]} the memory and {verbs[1]} the old values"
    views = [view for tape in concerned for view in unnamed_views(text, tape, place)]
    yield from views
    done = partial(_is_done_with, text, use)
    makers = list(dict.fromkeys(maker for tape in concerned for maker in makers_of(text, tape, place, name, done)))
    outside = [one for one in makers if one.startswith("the caller's")]
    yield from outside or makers


def _is_done_with(text: str, use: Use, name: str) -> bool:
    """Whether `name` is a variable of the function that nobody reads after the write, and that nobody was given."""
    if name in use.gone:
        return True
    function = use.tree.function_of(use.statement)
    local = isinstance(function, cst.FunctionDef) and not is_parameter(function, name) and is_bound_in(function, name)
    if not local or is_read_after(use.tree, use.statement, name):
        return False
    whole = whole_tree(text, use.tree.file) or use.tree
    return not [*handed_on(whole, use.tree, use.statement, name, ())]


def _is_write_on(event: Event, place: Span) -> bool:
    return is_write(event) and event.span.file == place.file and event.span.row == place.row
