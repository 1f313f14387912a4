"""`ctx.mark_dirty(x)`: autograd is told that the forward of a custom Function writes its input."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program import custom_class
from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.custom_class import CustomFunction
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.site import Tree, site_at
from inplace_lsp.fixes.program.written import written_by
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Actor, Write


def mark_dirty(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP303 where the forward writes an input that every `return` gives back: torch accepts the mark only then."""
    undeclared = any(isinstance(one, Write) and one.actor is Actor.UNDECLARED for one in finding.story)
    owner = custom_class.around(text, finding.span) if finding.code == "IP303" and undeclared else None
    site = site_at(text, finding.span)
    forward = owner.method("forward") if owner is not None else None
    if owner is None or site is None or forward is None:
        return
    for written in written_by(site, finding):
        name = site.tree.code(written)
        if name in custom_class.parameters_of(forward) and _is_returned(owner.tree, forward, name):
            edit = _marked(owner, forward, finding, name)
            yield from [Candidate(f"Tell autograd of the write: `{_call(owner, name)}`", (edit,))] if edit else ()
            return


def _is_returned(tree: Tree, forward: cst.FunctionDef, name: str) -> bool:
    every = custom_class.returned(tree, forward)
    return bool(every) and all(any(tree.code(one) == name for one in values) for values in every)


def _call(owner: CustomFunction, name: str) -> str:
    setup = owner.setup
    return f"{custom_class.context_of(setup) if setup is not None else 'ctx'}.mark_dirty({name})"


def _marked(owner: CustomFunction, forward: cst.FunctionDef, finding: Finding, name: str) -> Edit | None:
    """Behind the write; in the one call there may be, if there is one; in `setup_context` where that has the `ctx`."""
    setup, tree = owner.setup, owner.tree
    if setup is None or not isinstance(setup.body, cst.IndentedBlock):
        return None
    if setup is not forward:
        return _in_setup(tree, setup, forward, name)
    calls = custom_class.calls_on(tree, setup, "mark_dirty")
    if calls:
        return custom_class.one_more(tree, calls[0], name)
    statement = _outside_loops(tree, setup, finding)
    row, column = tree.last_of(statement)
    indent = tree.indentation(tree.span(statement).row)
    return insertion(tree.file, row, column, f"\n{indent}{_call(owner, name)}")


def _outside_loops(tree: Tree, forward: cst.FunctionDef, finding: Finding) -> cst.CSTNode:
    """The statement of the write, or the outermost loop it is in: autograd is to be told once."""
    nodes = tree.covering(finding.span)
    inside = nodes[nodes.index(forward.body) :]
    loops = [one for one in inside if isinstance(one, (cst.For, cst.While))]
    lines = [one for one in inside if isinstance(one, cst.SimpleStatementLine)]
    return [*loops, *lines][0]


def _in_setup(tree: Tree, setup: cst.FunctionDef, forward: cst.FunctionDef, name: str) -> Edit | None:
    """As the first statement; `setup_context` knows the inputs by their places only."""
    parameters = custom_class.parameters_of(setup)
    if len(parameters) != 3 or custom_class.calls_on(tree, setup, "mark_dirty"):
        return None
    first = next(iter(custom_class.first_statements(setup)), None)
    if first is None:
        return None
    place = custom_class.parameters_of(forward).index(name)
    call = f"{parameters[0]}.mark_dirty({parameters[1]}[{place}])"
    span = tree.span(first)
    if tree.code(first).strip() == "pass":
        return Edit(call, span)
    return insertion(span.file, span.row, span.column, f"{call}\n{tree.indentation(span.row)}")
