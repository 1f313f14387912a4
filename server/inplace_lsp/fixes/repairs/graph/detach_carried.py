"""Detach a state that a loop carries over: it drags the graph of all earlier rounds along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Difference, list_each_and_all
from inplace_lsp.fixes.program.flow import binding_of, carried_variables, reads_and_bindings
from inplace_lsp.fixes.program.precedence import ATOMS
from inplace_lsp.fixes.program.recurrent import find_none_variables, find_state_pairs
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site, Tree, site_at
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span, Tape, TensorState

WARNING = "no gradient flows into earlier iterations"


def detach_before_step(context: RepairContext) -> Iterator[Candidate]:
    """Repair a step in a loop whose backward reaches into the graph of earlier rounds."""
    return _detach_state(context, [related.span for related in context.finding.related])


def detach_before_backward(context: RepairContext) -> Iterator[Candidate]:
    """Repair a second backward through a graph that a loop carries over."""
    return _detach_state(context, [context.finding.span])


DETACH_BEFORE_STEP = Repair(frozenset({"IP102"}), detach_before_step)
DETACH_BEFORE_BACKWARD = Repair(frozenset({"IP103"}), detach_before_backward)


def _detach_state(context: RepairContext, places: Sequence[Span]) -> Iterator[Candidate]:
    text, finding = context.text, context.finding
    names = _names_with_gradient(context.tapes)
    backwards = [span for span in places if span.file == finding.span.file]
    for place in dict.fromkeys(backwards):
        site = site_at(text, place)
        if site is not None and "backward" in site.tree.code_of(site.statement):
            yield from _detach_after_backward(text, site, names)
    for place in dict.fromkeys(finding.places_of("saved", finding.span.file)):
        yield from _detach_in_method(text, place, names)


def _names_with_gradient(tapes: Iterable[Tape]) -> frozenset[str]:
    """Return the names of all tensors that require grad on some tape."""
    states = (getattr(event, "tensor", None) for tape in tapes for event in tape.events)
    return frozenset(
        state.name for state in states if isinstance(state, TensorState) and state.name and state.requires_grad
    )


def _detach_after_backward(text: str, site: Site, names: frozenset[str]) -> Iterator[Candidate]:
    """Insert `h = h.detach()` after the loop's backward, for one carried name, then for all of them."""
    loop = next((node for node in site.tree.parents_of(site.statement) if isinstance(node, (cst.For, cst.While))), None)
    if loop is None or not site.is_alone or site.tree.function_of(site.statement) is not site.tree.function_of(loop):
        return
    known = names | _backward_roots(site) | find_state_pairs(text, site.tree)
    _, writes = reads_and_bindings(site.tree, loop.body)
    row = site.tree.span_of(site.statement).row
    state: list[str] = []
    for name in carried_variables(site.tree, loop.body):
        if min(writes[name])[0] > row:
            yield from _detach_at_binding(site, loop, name, known)
        elif min(writes[name])[0] < row and name in known:
            state.append(name)
    for some in list_each_and_all(state):
        statement = _detach_statement(text, site.tree, some)
        yield _detach_candidate(some, (_insert_line_after(site, statement),), f"`{statement}` after the backward")


def _detach_at_binding(site: Site, loop: cst.For | cst.While, name: str, known: frozenset[str]) -> Iterator[Candidate]:
    """Rewrite to `previous = loss.detach()` for a name that is bound after the backward."""
    tree = site.tree
    found = [
        node
        for node in tree.nodes_within(tree.span_of(loop.body))
        if isinstance(node, cst.Assign) and any(tree.code_of(target.target) == name for target in node.targets)
    ]
    values = {tree.code_of(node.value) for node in found}
    if len(found) == 1 and isinstance(found[0].value, ATOMS) and known & {name, *values}:
        end = tree.span_of(found[0].value)
        edit = insert_at(tree.file, end.end_row, end.end_column, ".detach()")
        yield _detach_candidate([name], (edit,), f"`{name} = {tree.code_of(found[0].value)}.detach()`")


def _backward_roots(site: Site) -> frozenset[str]:
    """Return the tensors on which the statement calls `backward()`: `total` in `total.backward()`."""
    call = site.statement.value if isinstance(site.statement, cst.Expr) else None
    function = call.func if isinstance(call, cst.Call) else None
    return frozenset({site.tree.code_of(function.value)} if isinstance(function, cst.Attribute) else ())


def _detach_statement(text: str, tree: Tree, names: Sequence[str]) -> str:
    pairs = find_state_pairs(text, tree)
    values = [f"tuple(part.detach() for part in {name})" if name in pairs else f"{name}.detach()" for name in names]
    return f"{', '.join(names)} = {', '.join(values)}"


def _insert_line_after(site: Site, statement: str) -> Edit:
    here = site.tree.span_of(site.statement)
    row, column = site.tree.end_of_block(site.line)
    return insert_at(here.file, row, column, f"\n{site.tree.indentation_of(here.row)}{statement}")


def _detach_candidate(names: Iterable[str], edits: tuple[Edit, ...], what: str) -> Candidate:
    carried = "`, `".join(names)
    message = f"Carry `{carried}` over without its history: {what}"
    return Candidate(message, edits, (), (WARNING,), Difference.SHORTER_GRAPHS)


def _detach_in_method(text: str, place: Span, names: frozenset[str]) -> Iterator[Candidate]:
    """Detach `self.h` where a method reads the attribute that the previous call has set."""
    site = site_at(text, place)
    function = site.tree.function_of(site.statement) if site is not None else None
    if site is None or not isinstance(function, cst.FunctionDef):
        return
    tree = site.tree
    pairs = find_state_pairs(text, tree)
    attributes = (name for name in carried_variables(tree, function.body) if "." in name)
    state = [name for name in attributes if name in names or name in pairs]
    read: list[str] = []
    for name in state:
        if name in pairs or name in find_none_variables(tree):
            yield from _detach_after_binding(text, tree, function, name)
        elif [*_detach_reads(tree, function, name)]:
            read.append(name)
        else:
            yield _detach_at_start(tree, function, name)
    yield from _detach_where_read(tree, function, read)


def _detach_where_read(tree: Tree, function: cst.FunctionDef, names: Sequence[str]) -> Iterator[Candidate]:
    for some in list_each_and_all(names):
        edits = tuple(edit for name in some for edit in _detach_reads(tree, function, name))
        where = "it is read" if len(some) == 1 else "they are read"
        yield _detach_candidate(some, edits, f"`{'`, `'.join(f'{name}.detach()' for name in some)}` where {where}")


def _detach_reads(tree: Tree, function: cst.FunctionDef, name: str) -> Iterator[Edit]:
    """Detach at the reads before the first binding."""
    reads, writes = reads_and_bindings(tree, function.body)
    first = min(writes[name])
    for node in tree.nodes_within(tree.span_of(function.body)):
        span = tree.span_of(node)
        at = (span.row, span.column)
        named = isinstance(node, cst.Attribute) and tree.code_of(node) == name and binding_of(tree, node) is None
        if named and at in reads[name] and at < first:
            yield insert_at(span.file, span.end_row, span.end_column, ".detach()")


def _detach_at_start(tree: Tree, function: cst.FunctionDef, name: str) -> Candidate:
    """Detach at the start of a method whose first use of the state is a write: `self.mean *= 0.9`."""
    reads, _ = reads_and_bindings(tree, function.body)
    row = min(reads[name])[0]
    indent = tree.indentation_of(row)
    statement = f"{name} = {name}.detach()"
    edit = insert_at(tree.file, row, len(indent), f"{statement}\n{indent}")
    return _detach_candidate([name], (edit,), f"`{statement}` before it is written")


def _detach_after_binding(text: str, tree: Tree, function: cst.FunctionDef, name: str) -> Iterator[Candidate]:
    """Detach after the binding of a state that is no tensor at first, if the method does not use it afterwards."""
    reads, writes = reads_and_bindings(tree, function.body)
    row, column = max(writes[name])
    if max(reads[name]) > (row, column) or len(writes[name]) > 1:
        return
    statement = _detach_statement(text, tree, [name])
    file = tree.span_of(function).file
    edit = insert_at(file, row, column, f"\n{tree.indentation_of(row)}{statement}")
    yield _detach_candidate([name], (edit,), f"`{statement}`")
