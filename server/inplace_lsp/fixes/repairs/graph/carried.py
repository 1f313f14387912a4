"""A state that is carried from round to round takes the whole past graph along: hand it on without its history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.flow import binding_of, taken_over, uses
from inplace_lsp.fixes.program.precedence import ATOMS
from inplace_lsp.fixes.program.recurrent import nones_of, pairs_of
from inplace_lsp.fixes.program.site import Site, Tree, site_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Span, Tape, TensorState

WARNING = "no gradient flows into the rounds before"


def carried(text: str, finding: Finding, tapes: Sequence[Tape]) -> Iterator[Candidate]:
    """For IP102 and IP103, where a loop walks a graph that reaches back into its earlier rounds."""
    if finding.code not in {"IP102", "IP103"}:
        return
    names = _with_gradient(tapes)
    places = [finding.span] if finding.code == "IP103" else [one.span for one in finding.related]
    backwards = [one for one in places if one.file == finding.span.file]
    for place in dict.fromkeys(backwards):
        site = site_at(text, place)
        if site is not None and "backward" in site.tree.code(site.statement):
            yield from _behind_backward(text, site, names)
    for place in dict.fromkeys(one.span for one in finding.related if one.role == "saved"):
        if place.file == finding.span.file:
            yield from _where_read(text, place, names)


def _with_gradient(tapes: Iterable[Tape]) -> frozenset[str]:
    """The names of all tensors that some tape shows with a gradient."""
    states = (getattr(event, "tensor", None) for tape in tapes for event in tape.events)
    return frozenset(one.name for one in states if isinstance(one, TensorState) and one.name and one.requires_grad)


def _behind_backward(text: str, site: Site, names: frozenset[str]) -> Iterator[Candidate]:
    """`h = h.detach()` behind the backward of the loop, for one name that is carried over, then for all of them."""
    loop = next((one for one in site.tree.parents(site.statement) if isinstance(one, (cst.For, cst.While))), None)
    if loop is None or not site.is_alone or site.tree.function_of(site.statement) is not site.tree.function_of(loop):
        return
    known = names | _walked(site) | pairs_of(text, site.tree)
    _, writes = uses(site.tree, loop.body)
    row = site.tree.span(site.statement).row
    state = [name for name in taken_over(site.tree, loop.body) if name in known and min(writes[name])[0] < row]
    for name in taken_over(site.tree, loop.body):
        yield from _where_bound(site, loop, name, known) if min(writes[name])[0] > row else ()
    for some in dict.fromkeys([*((name,) for name in state), tuple(state)]):
        if some:
            statement = _detached(text, site.tree, some)
            yield _candidate(some, (_line_behind(site, statement),), f"`{statement}` behind the backward")


def _where_bound(site: Site, loop: cst.For | cst.While, name: str, known: frozenset[str]) -> Iterator[Candidate]:
    """`previous = loss.detach()`, for a name that gets its value behind the backward."""
    tree = site.tree
    found = [
        one
        for one in tree.within(tree.span(loop.body))
        if isinstance(one, cst.Assign) and any(tree.code(target.target) == name for target in one.targets)
    ]
    values = {tree.code(one.value) for one in found}
    if len(found) == 1 and isinstance(found[0].value, ATOMS) and known & {name, *values}:
        end = tree.span(found[0].value)
        edit = insertion(tree.file, end.end_row, end.end_column, ".detach()")
        yield _candidate([name], (edit,), f"`{name} = {tree.code(found[0].value)}.detach()`")


def _walked(site: Site) -> frozenset[str]:
    """What the statement calls `backward()` of: `total` of `total.backward()`."""
    call = site.statement.value if isinstance(site.statement, cst.Expr) else None
    function = call.func if isinstance(call, cst.Call) else None
    return frozenset({site.tree.code(function.value)} if isinstance(function, cst.Attribute) else ())


def _detached(text: str, tree: Tree, names: Sequence[str]) -> str:
    pairs = pairs_of(text, tree)
    values = [f"tuple(part.detach() for part in {name})" if name in pairs else f"{name}.detach()" for name in names]
    return f"{', '.join(names)} = {', '.join(values)}"


def _line_behind(site: Site, statement: str) -> Edit:
    here = site.tree.span(site.statement)
    row, column = site.tree.last_of(site.line)
    return insertion(here.file, row, column, f"\n{site.tree.indentation(here.row)}{statement}")


def _candidate(names: Iterable[str], edits: tuple[Edit, ...], what: str) -> Candidate:
    carried = "`, `".join(names)
    return Candidate(f"Carry `{carried}` over without its history: {what}", edits, (), (WARNING,))


def _where_read(text: str, place: Span, names: frozenset[str]) -> Iterator[Candidate]:
    """`self.h.detach()` where a method reads the attribute that the call before has left."""
    site = site_at(text, place)
    function = site.tree.function_of(site.statement) if site is not None else None
    if site is None or not isinstance(function, cst.FunctionDef):
        return
    tree = site.tree
    pairs = pairs_of(text, tree)
    state = [name for name in taken_over(tree, function.body) if "." in name and name in names | pairs]
    for name in state:
        if name in pairs or name in nones_of(tree):
            yield from _behind_binding(text, tree, function, name)
        else:
            edits = tuple(_at_reads(tree, function, name))
            what = f"`{name}.detach()` where it is read"
            yield _candidate([name], edits, what) if edits else _in_front(tree, function, name)


def _at_reads(tree: Tree, function: cst.FunctionDef, name: str) -> Iterator[Edit]:
    """At the reads before the first binding."""
    reads, writes = uses(tree, function.body)
    first = min(writes[name])
    for node in tree.within(tree.span(function.body)):
        span = tree.span(node)
        at = (span.row, span.column)
        named = isinstance(node, cst.Attribute) and tree.code(node) == name and binding_of(tree, node) is None
        if named and at in reads[name] and at < first:
            yield insertion(span.file, span.end_row, span.end_column, ".detach()")


def _in_front(tree: Tree, function: cst.FunctionDef, name: str) -> Candidate:
    """For a state that the method begins by writing to it: `self.mean *= 0.9`."""
    reads, _ = uses(tree, function.body)
    row = min(reads[name])[0]
    indent = tree.indentation(row)
    statement = f"{name} = {name}.detach()"
    edit = insertion(tree.file, row, len(indent), f"{statement}\n{indent}")
    return _candidate([name], (edit,), f"`{statement}` before it is written")


def _behind_binding(text: str, tree: Tree, function: cst.FunctionDef, name: str) -> Iterator[Candidate]:
    """For a state that is no tensor at first; only where the method itself makes no more use of it."""
    reads, writes = uses(tree, function.body)
    row, column = max(writes[name])
    if max(reads[name]) > (row, column) or len(writes[name]) > 1:
        return
    statement = _detached(text, tree, [name])
    file = tree.span(function).file
    edit = insertion(file, row, column, f"\n{tree.indentation(row)}{statement}")
    yield _candidate([name], (edit,), f"`{statement}`")
