"""`ctx.save_for_backward(x)` for `ctx.x = x`: autograd then checks that nobody wrote what the backward reads."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program import custom_class
from inplace_lsp.fixes.program.candidate import Candidate, without_lines
from inplace_lsp.fixes.program.custom_class import CustomFunction
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.flow import uses
from inplace_lsp.fixes.program.precedence import ATOMS
from inplace_lsp.fixes.program.scopes import is_bound_in, is_parameter
from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Save


def keep_by_saving(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP303. The write is not repaired by it, but becomes one that torch refuses (IP101)."""
    for owner, attribute, kept in _kept(text, finding):
        backward, forward = owner.method("backward"), owner.setup
        if backward is None or forward is None or len(kept) != 1:
            continue
        saved, unpacked = _saved(owner.tree, forward, kept[0]), _unpacked(owner.tree, backward, attribute)
        edits = [*saved], [*unpacked]
        if all(edits):
            message = (
                f"Keep `{owner.tree.code(kept[0].value)}` with `{custom_class.context_of(forward)}.save_for_backward`"
            )
            yield Candidate(message, (*edits[0], *edits[1]))


def copy_on_ctx(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP303: `ctx.x = x.clone()`: no later write reaches what is kept."""
    for owner, _, kept in _kept(text, finding):
        edits = tuple(edit for one in kept for edit in _cloned(owner.tree, one.value))
        if edits:
            yield Candidate(f"Let the Function keep a copy: `.clone()` on line {edits[0].span.row}", edits)


def is_kept(finding: Finding) -> bool:
    """Whether it is about a tensor that a Function keeps on `ctx`."""
    kept = any(isinstance(one, Save) and one.role.startswith("ctx.") for one in finding.story)
    return finding.code == "IP303" and kept


def _kept(text: str, finding: Finding) -> Iterator[tuple[CustomFunction, str, list[cst.Assign]]]:
    """The Functions that keep the written tensor, under which attribute, and the assignments to it."""
    if finding.code != "IP303":
        return
    saves = (one for one in finding.story if isinstance(one, Save) and one.role.startswith("ctx."))
    for op, attribute in dict.fromkeys((one.op, one.role.removeprefix("ctx.")) for one in saves):
        owner = custom_class.named(text, finding.span.file, op)
        forward = owner.setup if owner is not None else None
        if owner is not None and forward is not None:
            name = f"{custom_class.context_of(forward)}.{attribute}"
            yield owner, attribute, list(_assignments(owner.tree, forward, name))


def _assignments(tree: Tree, method: cst.FunctionDef, name: str) -> Iterator[cst.Assign]:
    for node in custom_class.nodes_of(tree, method):
        if isinstance(node, cst.Assign) and len(node.targets) == 1 and tree.code(node.targets[0].target) == name:
            yield node


def _saved(tree: Tree, forward: cst.FunctionDef, kept: cst.Assign) -> Iterator[Edit]:
    """In the one call there may be, if there is one, else in place of the assignment."""
    calls = custom_class.calls_on(tree, forward, "save_for_backward")
    line = tree.parent(kept)
    alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    value = tree.code(kept.value)
    if not calls:
        yield Edit(f"{custom_class.context_of(forward)}.save_for_backward({value})", tree.span(kept))
    elif len(calls) == 1 and alone and _is_known_at(tree, forward, kept, calls[0]):
        yield _without_line_of(tree, kept)
        yield custom_class.one_more(tree, calls[0], value)


def _is_known_at(tree: Tree, forward: cst.FunctionDef, kept: cst.Assign, call: cst.Call) -> bool:
    """Whether the kept variable means the same at `call`: a parameter, or bound before the assignment before it."""
    if not isinstance(kept.value, cst.Name):
        return False
    _, bound = uses(tree, forward.body)
    places = bound.get(kept.value.value, [])
    start = tree.span(call)
    before = not places or max(places) < (start.row, start.column)
    return before and (is_parameter(forward, kept.value.value) or bool(places))


def _unpacked(tree: Tree, backward: cst.FunctionDef, attribute: str) -> Iterator[Edit]:
    """The backward reads it from `ctx.saved_tensors`, where it is the last one."""
    context = custom_class.context_of(backward)
    reads = _reads(tree, backward, f"{context}.{attribute}")
    taken = [one for one in reads if _is_assigned(tree, one)]
    saved = _reads(tree, backward, f"{context}.saved_tensors")
    name = _local_name(tree, backward, attribute, taken)
    if not reads or name is None or len(saved) > 1 or not all(_names_unpacked(tree, one) for one in saved):
        return
    if not saved and len(reads) == 1 and taken:
        yield Edit(f"({name},) = {context}.saved_tensors", tree.span(tree.parent(taken[0]) or taken[0]))
        return
    yield _one_more_name(tree, saved[0], name) if saved else _at_the_top(tree, backward, f"({name},)")
    for read in reads:
        yield _without_line_of(tree, tree.parent(read) or read) if read in taken else Edit(name, tree.span(read))


def _without_line_of(tree: Tree, statement: cst.CSTNode) -> Edit:
    """Away with the line of a small statement."""
    return without_lines(tree, tree.parent(statement) or statement)


def _reads(tree: Tree, method: cst.FunctionDef, name: str) -> list[cst.Attribute]:
    nodes = custom_class.nodes_of(tree, method)
    return [one for one in nodes if isinstance(one, cst.Attribute) and tree.code(one) == name]


def _is_assigned(tree: Tree, node: cst.BaseExpression) -> bool:
    """Whether `node` is all that an assignment gives a variable: `x = ctx.x`."""
    around = tree.parent(node)
    return isinstance(around, cst.Assign) and around.value is node and len(around.targets) == 1


def _at_the_top(tree: Tree, backward: cst.FunctionDef, target: str) -> Edit:
    span = tree.span(next(iter(custom_class.first_statements(backward))))
    statement = f"{target} = {custom_class.context_of(backward)}.saved_tensors"
    return insertion(span.file, span.row, span.column, f"{statement}\n{tree.indentation(span.row)}")


def _one_more_name(tree: Tree, saved: cst.Attribute, name: str) -> Edit:
    """`(a,) = ctx.saved_tensors` as `a, x = ctx.saved_tensors`."""
    names = ", ".join([*_names_unpacked(tree, saved), name])
    return Edit(f"{names} = {tree.code(saved)}", tree.span(tree.parent(saved) or saved))


def _names_unpacked(tree: Tree, saved: cst.Attribute) -> list[str]:
    """`["a", "b"]` of `a, b = ctx.saved_tensors`."""
    around = tree.parent(saved)
    target = around.targets[0].target if isinstance(around, cst.Assign) and len(around.targets) == 1 else None
    return [tree.code(one.value) for one in target.elements] if isinstance(target, cst.Tuple) else []


def _local_name(tree: Tree, backward: cst.FunctionDef, attribute: str, taken: list[cst.Attribute]) -> str | None:
    """The name that the backward has for it, else one that is free there."""
    if taken:
        around = tree.parent(taken[0])
        target = around.targets[0].target if isinstance(around, cst.Assign) else None
        return target.value if isinstance(target, cst.Name) and len(taken) == 1 else None
    return next((one for one in (attribute, f"saved_{attribute}") if not is_bound_in(backward, one)), None)


def _cloned(tree: Tree, value: cst.BaseExpression) -> Iterator[Edit]:
    if isinstance(value, ATOMS):
        end = tree.span(value)
        yield insertion(end.file, end.end_row, end.end_column, ".clone()")
