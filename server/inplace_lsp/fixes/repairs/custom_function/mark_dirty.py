"""Add `ctx.mark_dirty(x)` to tell autograd that a custom Function's forward writes its input."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program import custom_class
from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.custom_class import CustomFunction
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.fixes.program.written import find_written_names
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Actor, Write


def mark_dirty(context: RepairContext) -> Iterator[Candidate]:
    """Repair a Function whose forward writes an input that every `return` returns: torch accepts the mark only then."""
    finding, site = context.finding, context.site
    owner = custom_class.find_enclosing_class(context.text, finding.span) if _is_undeclared(finding) else None
    forward = owner.own_method("forward") if owner is not None else None
    if owner is None or site is None or forward is None:
        return
    for written in find_written_names(site, finding):
        name = site.tree.code_of(written)
        if _is_returned_input(owner.tree, forward, name):
            edit = _insert_mark(owner, forward, finding, name)
            if edit is not None:
                yield Candidate(f"Report the write to autograd: `{_mark_dirty_call(owner, name)}`", (edit,))
            return


def _is_undeclared(finding: Finding) -> bool:
    return any(isinstance(event, Write) and event.actor is Actor.UNDECLARED for event in finding.story)


MARK_DIRTY = Repair(frozenset({"IP303"}), mark_dirty)


def _is_returned_input(tree: Tree, forward: cst.FunctionDef, name: str) -> bool:
    """Return whether `name` is a parameter of the forward that every `return` returns."""
    returns = custom_class.returned_values(tree, forward)
    always = all(any(tree.code_of(value) == name for value in values) for values in returns)
    return name in custom_class.parameter_names(forward) and bool(returns) and always


def _mark_dirty_call(owner: CustomFunction, name: str) -> str:
    setup = owner.context_method
    return f"{custom_class.context_name(setup) if setup is not None else 'ctx'}.mark_dirty({name})"


def _insert_mark(owner: CustomFunction, forward: cst.FunctionDef, finding: Finding, name: str) -> Edit | None:
    """Extend the existing `mark_dirty`, else insert one after the write, or in the `setup_context` that has the
    `ctx`."""
    setup, tree = owner.context_method, owner.tree
    if setup is None or not isinstance(setup.body, cst.IndentedBlock):
        return None
    if setup is not forward:
        return _mark_in_setup(tree, setup, forward, name)
    calls = custom_class.find_context_calls(tree, setup, "mark_dirty")
    if calls:
        return custom_class.add_argument(tree, calls[0], name)
    statement = _outermost_loop(tree, setup, finding)
    row, column = tree.end_of_block(statement)
    indent = tree.indentation_of(tree.span_of(statement).row)
    return insert_at(tree.file, row, column, f"\n{indent}{_mark_dirty_call(owner, name)}")


def _outermost_loop(tree: Tree, forward: cst.FunctionDef, finding: Finding) -> cst.CSTNode:
    """Return the outermost loop around the write, else its statement: `mark_dirty` is called once."""
    nodes = tree.nodes_around(finding.span)
    inside = nodes[nodes.index(forward.body) :]
    loops = [node for node in inside if isinstance(node, (cst.For, cst.While))]
    lines = [node for node in inside if isinstance(node, cst.SimpleStatementLine)]
    return [*loops, *lines][0]


def _mark_in_setup(tree: Tree, setup: cst.FunctionDef, forward: cst.FunctionDef, name: str) -> Edit | None:
    """Insert the mark as the first statement: `setup_context` knows the inputs only by position."""
    parameters = custom_class.parameter_names(setup)
    if len(parameters) != 3 or custom_class.find_context_calls(tree, setup, "mark_dirty"):
        return None
    first = next(iter(custom_class.statements_after_docstring(setup)), None)
    if first is None:
        return None
    place = custom_class.parameter_names(forward).index(name)
    call = f"{parameters[0]}.mark_dirty({parameters[1]}[{place}])"
    span = tree.span_of(first)
    if tree.code_of(first).strip() == "pass":
        return Edit(call, span)
    return insert_at(span.file, span.row, span.column, f"{call}\n{tree.indentation_of(span.row)}")
