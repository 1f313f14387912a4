"""Replace `ctx.x = x` by `ctx.save_for_backward(x)`: autograd then checks that nobody wrote what backward reads."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program import custom_class
from inplace_lsp.fixes.program.candidate import Candidate, remove_lines
from inplace_lsp.fixes.program.codes import is_in_custom_function
from inplace_lsp.fixes.program.custom_class import CustomFunction
from inplace_lsp.fixes.program.flow import reads_and_bindings
from inplace_lsp.fixes.program.precedence import ATOMS
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.scopes import is_bound_in, is_parameter
from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Save


def save_for_backward(context: RepairContext) -> Iterator[Candidate]:
    """Save by `save_for_backward`. The write stays, but becomes one that torch refuses (IP101)."""
    for owner, attribute, kept in _find_kept_attributes(context.text, context.finding):
        backward, forward = owner.own_method("backward"), owner.context_method
        if backward is None or forward is None or len(kept) != 1:
            continue
        saved, unpacked = (
            _save_in_forward(owner.tree, forward, kept[0]),
            _unpack_in_backward(owner.tree, backward, attribute),
        )
        edits = [*saved], [*unpacked]
        if all(edits):
            name = custom_class.context_name(forward)
            message = f"Keep `{owner.tree.code_of(kept[0].value)}` with `{name}.save_for_backward`"
            yield Candidate(message, (*edits[0], *edits[1]))


def copy_on_ctx(context: RepairContext) -> Iterator[Candidate]:
    """Keep a copy with `ctx.x = x.clone()`: no later write reaches the copy."""
    for owner, _, kept in _find_kept_attributes(context.text, context.finding):
        edits = tuple(edit for assignment in kept for edit in _append_clone(owner.tree, assignment.value))
        if edits:
            yield Candidate(f"Let the Function keep a copy: `.clone()` on line {edits[0].span.row}", edits)


SAVE_FOR_BACKWARD = Repair(frozenset({"IP303"}), save_for_backward)
COPY_ON_CONTEXT = Repair(frozenset({"IP303"}), copy_on_ctx)


def is_kept_on_context(finding: Finding) -> bool:
    """Return whether the finding is about a tensor that a Function keeps on `ctx`."""
    kept = any(isinstance(event, Save) and event.role.startswith("ctx.") for event in finding.story)
    return is_in_custom_function(finding) and kept


def _find_kept_attributes(text: str, finding: Finding) -> Iterator[tuple[CustomFunction, str, list[cst.Assign]]]:
    """Yield the Functions that keep the written tensor, with the attribute and the assignments to it."""
    saves = (event for event in finding.story if isinstance(event, Save) and event.role.startswith("ctx."))
    for op, attribute in dict.fromkeys((save.op, save.role.removeprefix("ctx.")) for save in saves):
        owner = custom_class.find_function_class(text, finding.span.file, op)
        forward = owner.context_method if owner is not None else None
        if owner is not None and forward is not None:
            name = f"{custom_class.context_name(forward)}.{attribute}"
            yield owner, attribute, list(_find_assignments(owner.tree, forward, name))


def _find_assignments(tree: Tree, method: cst.FunctionDef, name: str) -> Iterator[cst.Assign]:
    for node in custom_class.body_nodes(tree, method):
        if isinstance(node, cst.Assign) and len(node.targets) == 1 and tree.code_of(node.targets[0].target) == name:
            yield node


def _save_in_forward(tree: Tree, forward: cst.FunctionDef, kept: cst.Assign) -> Iterator[Edit]:
    """Extend the existing `save_for_backward`, else replace the assignment."""
    calls = custom_class.find_context_calls(tree, forward, "save_for_backward")
    line = tree.parent_of(kept)
    alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    value = tree.code_of(kept.value)
    if not calls:
        yield Edit(f"{custom_class.context_name(forward)}.save_for_backward({value})", tree.span_of(kept))
    elif len(calls) == 1 and alone and _has_same_value_at(tree, forward, kept, calls[0]):
        yield _remove_line_of(tree, kept)
        yield custom_class.add_argument(tree, calls[0], value)


def _has_same_value_at(tree: Tree, forward: cst.FunctionDef, kept: cst.Assign, call: cst.Call) -> bool:
    """Return whether the kept variable has the same value at `call`: a parameter, or bound before the assignment before
    it."""
    if not isinstance(kept.value, cst.Name):
        return False
    _, bound = reads_and_bindings(tree, forward.body)
    places = bound.get(kept.value.value, [])
    start = tree.span_of(call)
    before = not places or max(places) < (start.row, start.column)
    return before and (is_parameter(forward, kept.value.value) or bool(places))


def _unpack_in_backward(tree: Tree, backward: cst.FunctionDef, attribute: str) -> Iterator[Edit]:
    """Let the backward read the tensor from the end of `ctx.saved_tensors`."""
    context = custom_class.context_name(backward)
    reads = _find_reads(tree, backward, f"{context}.{attribute}")
    taken = [read for read in reads if _is_assigned_value(tree, read)]
    saved = _find_reads(tree, backward, f"{context}.saved_tensors")
    name = _choose_local_name(tree, backward, attribute, taken)
    if not reads or name is None or len(saved) > 1:
        return
    if saved and not _unpacked_names(tree, saved[0]):
        return
    if not saved and len(reads) == 1 and taken:
        yield Edit(f"({name},) = {context}.saved_tensors", tree.span_of(tree.parent_of(taken[0]) or taken[0]))
        return
    yield _add_unpacked_name(tree, saved[0], name) if saved else _unpack_at_top(tree, backward, f"({name},)")
    yield from _replace_reads(tree, reads, name)


def _replace_reads(tree: Tree, reads: list[cst.Attribute], name: str) -> Iterator[Edit]:
    """Read the local name instead; an assignment of the attribute to it goes."""
    for read in reads:
        if _is_assigned_value(tree, read):
            yield _remove_line_of(tree, tree.parent_of(read) or read)
        else:
            yield Edit(name, tree.span_of(read))


def _remove_line_of(tree: Tree, statement: cst.CSTNode) -> Edit:
    """Remove the line of a small statement."""
    return remove_lines(tree, tree.parent_of(statement) or statement)


def _find_reads(tree: Tree, method: cst.FunctionDef, name: str) -> list[cst.Attribute]:
    nodes = custom_class.body_nodes(tree, method)
    return [node for node in nodes if isinstance(node, cst.Attribute) and tree.code_of(node) == name]


def _is_assigned_value(tree: Tree, node: cst.BaseExpression) -> bool:
    """Return whether `node` is the whole value of an assignment to a variable: `x = ctx.x`."""
    around = tree.parent_of(node)
    return isinstance(around, cst.Assign) and around.value is node and len(around.targets) == 1


def _unpack_at_top(tree: Tree, backward: cst.FunctionDef, target: str) -> Edit:
    span = tree.span_of(next(iter(custom_class.statements_after_docstring(backward))))
    statement = f"{target} = {custom_class.context_name(backward)}.saved_tensors"
    return insert_at(span.file, span.row, span.column, f"{statement}\n{tree.indentation_of(span.row)}")


def _add_unpacked_name(tree: Tree, saved: cst.Attribute, name: str) -> Edit:
    """Rewrite `(a,) = ctx.saved_tensors` as `a, x = ctx.saved_tensors`."""
    names = ", ".join([*_unpacked_names(tree, saved), name])
    return Edit(f"{names} = {tree.code_of(saved)}", tree.span_of(tree.parent_of(saved) or saved))


def _unpacked_names(tree: Tree, saved: cst.Attribute) -> list[str]:
    """Return `["a", "b"]` for `a, b = ctx.saved_tensors`."""
    around = tree.parent_of(saved)
    target = around.targets[0].target if isinstance(around, cst.Assign) and len(around.targets) == 1 else None
    return [tree.code_of(element.value) for element in target.elements] if isinstance(target, cst.Tuple) else []


def _choose_local_name(tree: Tree, backward: cst.FunctionDef, attribute: str, taken: list[cst.Attribute]) -> str | None:
    """Return the backward's name for the tensor, else one that is free there."""
    if taken:
        around = tree.parent_of(taken[0])
        target = around.targets[0].target if isinstance(around, cst.Assign) else None
        return target.value if isinstance(target, cst.Name) and len(taken) == 1 else None
    return next((name for name in (attribute, f"saved_{attribute}") if not is_bound_in(backward, name)), None)


def _append_clone(tree: Tree, value: cst.BaseExpression) -> Iterator[Edit]:
    if isinstance(value, ATOMS):
        end = tree.span_of(value)
        yield insert_at(end.file, end.end_row, end.end_column, ".clone()")
