"""Find who made the written tensor and may keep it: a function that hands back what it has made keeps nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import libcst as cst

from inplace_lsp.fixes.program.escapes import hands_on, only_computes
from inplace_lsp.fixes.program.on_tapes import (
    INPUTS,
    find_way_to_maker,
    find_way_to_write,
    writes_at,
    written_storages,
)
from inplace_lsp.fixes.program.site import Site, site_at, start_of_function, whole_tree
from inplace_lsp.tape.model import Create, Span, Tape, View, Write


def describe_makers(text: str, tape: Tape, place: Span, name: str, done: Callable[[str], bool]) -> Iterator[str]:
    """Yield a sentence for each maker of that memory that may keep it, except the function that writes it under `name`
    or holds it under a name it is `done` with."""
    for storage in written_storages(tape, place):
        made = (event for event in tape.events if isinstance(event, Create) and event.tensor.storage == storage)
        yield from _describe_maker(text, tape, next(made, None), place, name, done)


def describe_makers_of_object(
    text: str, tape: Tape, place: Span, name: str, done: Callable[[str], bool]
) -> Iterator[str]:
    """Yield a sentence for each maker of the written tensor object that may keep it, as `describe_makers`."""
    for written in {event.tensor.id for event in tape.events if isinstance(event, Write) and writes_at(event, place)}:
        made = (event for event in tape.events if isinstance(event, Create | View) and event.tensor.id == written)
        yield from _describe_maker(text, tape, next(made, None), place, name, done)


def _describe_maker(
    text: str, tape: Tape, made: Create | View | None, place: Span, name: str, done: Callable[[str], bool]
) -> Iterator[str]:
    if made is None or made.op in INPUTS:
        yield f"the caller's `{name}` no longer changes" if name else "the caller's tensor no longer changes"
    elif made.span.file != place.file:
        yield f"line {made.span.row} of another file made this tensor and may keep it"
    elif start_of_function(text, made.span) != start_of_function(text, place):
        if not _is_handed_back(text, tape, made, place):
            yield f"line {made.span.row}, in another function, made this tensor and may keep it"
    elif name and not _is_made_under(text, made.span, name, done):
        yield f"line {made.span.row} made this tensor under another name"


def _is_made_under(text: str, made: Span, name: str, done: Callable[[str], bool]) -> bool:
    """Return whether the statement at `made` binds `name`, or a name that the function is `done` with."""
    return any(binding == name or done(binding) for binding in _names_bound_at(text, made))


def _names_bound_at(text: str, place: Span) -> list[str]:
    """Return the names that the statement at `place` binds."""
    site = site_at(text, place)
    statement = site.statement if site else None
    if site is None or not isinstance(statement, (cst.Assign, cst.AnnAssign, cst.AugAssign)):
        return []
    targets = (
        [target.target for target in statement.targets] if isinstance(statement, cst.Assign) else [statement.target]
    )
    return [site.tree.code_of(element) for target in targets for element in _flatten_target(target)]


def _flatten_target(target: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(target, (cst.Tuple, cst.List)):
        return [inner for element in target.elements for inner in _flatten_target(element.value)]
    return [target]


def _is_handed_back(text: str, tape: Tape, made: Create | View, place: Span) -> bool:
    """Return whether every function between the maker and the caller that writes only returns what was made."""
    writing, way = find_way_to_write(tape, place, made.tensor.storage), find_way_to_maker(tape, made)
    depth = len(writing)
    return (
        way is not None
        and way[:depth] == writing
        and len(way) > depth
        and start_of_function(text, way[depth]) == start_of_function(text, place)
        and all(span.file == place.file and _only_returns(text, span) for span in (*way[depth + 1 :], made.span))
    )


def _only_returns(text: str, span: Span) -> bool:
    """Return whether the statement there returns its value, or binds it to a name that nobody else is given."""
    site = site_at(text, span)
    value = getattr(site.statement, "value", None) if site is not None else None
    if site is None or not isinstance(value, cst.BaseExpression):
        return False
    called = value.func if isinstance(value, cst.Call) else None
    whole = whole_tree(text, span.file) or site.tree
    if called is not None and not _is_call_at(site, value, span) and not only_computes(whole, site.tree, called):
        return False
    return isinstance(site.statement, cst.Return) or _binds_only_a_name(site, text)


def _is_call_at(site: Site, value: cst.BaseExpression, span: Span) -> bool:
    """Return whether the statement's whole value is the call that led on."""
    here = site.tree.span_of(value)
    return (here.row, here.column) == (span.row, span.column) and here.end_row == span.end_row


def _binds_only_a_name(site: Site, text: str) -> bool:
    function = site.tree.function_of(site.statement)
    targets = site.statement.targets if isinstance(site.statement, cst.Assign) else ()
    names = [target.target for target in targets]
    whole = whole_tree(text, site.tree.file) or site.tree
    return (
        isinstance(function, cst.FunctionDef)
        and bool(names)
        and all(isinstance(name, cst.Name) and not hands_on(whole, site, name.value) for name in names)
    )
