"""Move a write that comes too early behind the last backward that needs the old values."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.aliases import memory_sources
from inplace_lsp.fixes.program.candidate import Candidate, remove_paragraph
from inplace_lsp.fixes.program.codes import SAVED_WRITES, is_step
from inplace_lsp.fixes.program.flow import reads_and_bindings
from inplace_lsp.fixes.program.parameter_names import find_calls_of
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree, tree_at, whole_tree
from inplace_lsp.fixes.program.slices import statements_of
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.source.units import normalise_text
from inplace_lsp.tape.model import Actor, Backward, Span, Write

OLD = "what runs between sees the old values"


def move_write_after_backward(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write that shares a block with its backward, itself or by its loop or call, with no use of the written
    tensor in between. What nobody has saved is not written too early."""
    text, finding = context.text, context.finding
    if not finding.places_of("saved"):
        return
    for place, tree, pair in _statements_to_swap(text, finding):
        if _may_move(tree, finding, *pair):
            warnings = _move_warnings(tree, finding, pair, by_call=place != finding.span)
            yield _move_candidate(text, tree, pair, warnings)
            return


def _statements_to_swap(text: str, finding: Finding) -> Iterator[tuple[Span, Tree, tuple[cst.CSTNode, cst.CSTNode]]]:
    """Yield where the write is, itself or by a call, and the statements of one block with it and with the backward."""
    last = _last_backward_place(finding)
    if last is None:
        return
    for place in call_places(text, finding, finding.span):
        tree = tree_at(text, place)
        if tree is not None:
            for call in call_places(text, finding, last):
                found = find_shared_block(tree, place, call)
                if found is not None:
                    yield place, tree, (found[0], _last_backward(tree, found[1]))


def _last_backward_place(finding: Finding) -> Span | None:
    """Return where the last backward is called; a `return` to a framework, which calls it, is no such place."""
    returns = {event.returned_at for event in finding.story if isinstance(event, Backward)}
    called = (place for place in finding.places_of("backward", finding.span.file) if place not in returns)
    return max(called, key=lambda span: span.row, default=None)


MOVE_STEP_AFTER_BACKWARD = Repair(frozenset({"IP102"}), move_write_after_backward)
MOVE_WRITE_AFTER_BACKWARD = Repair(SAVED_WRITES, move_write_after_backward)


def find_write_and_backward(text: str, finding: Finding) -> Iterator[tuple[Tree, tuple[cst.CSTNode, cst.CSTNode]]]:
    """Yield the statements of one block that contain the write and, after it, the last backward, also through calls."""
    last = _last_backward_place(finding)
    tree = whole_tree(text, finding.span.file)
    if last is None or tree is None:
        return
    for place in call_places(text, finding, finding.span):
        for walk in call_places(text, finding, last):
            pair = find_shared_block(tree, place, walk)
            if pair is not None and tree.span_of(pair[0]).row < tree.span_of(pair[1]).row:
                yield tree, pair


def call_places(text: str, finding: Finding, place: Span) -> list[Span]:
    """Return the place itself, the call through which the run reached the write, and, last first, the calls of the
    function around the place."""
    tree = whole_tree(text, finding.span.file)
    functions = [node for node in tree.nodes_around(place) if isinstance(node, cst.FunctionDef)] if tree else []
    calls = find_calls_of(tree, functions[-1].name.value) if tree is not None and functions else []
    writes = (event for event in finding.story if isinstance(event, Write) and event.span == place)
    through = (write.call for write in writes if write.call is not None and write.call.file == place.file)
    spans = sorted((tree.span_of(call) for call in calls if tree is not None), reverse=True)
    return list(dict.fromkeys([place, *through, *spans]))


def _last_backward(tree: Tree, backward: cst.CSTNode) -> cst.CSTNode:
    """Return the statement of the backward; after `create_graph=True`, that of the block's last backward, which needs
    the old values too."""
    keywords = [argument for call in tree.calls_in(backward) for argument in call.args if argument.keyword is not None]
    if not any(keyword.keyword and keyword.keyword.value == "create_graph" for keyword in keywords):
        return backward
    block = statements_of(tree.parent_of(backward))
    return [
        statement
        for statement in block[block.index(backward) :]
        if statement is backward or _calls_backward(tree, statement)
    ][-1]


def _calls_backward(tree: Tree, statement: cst.CSTNode) -> bool:
    """Return whether a statement calls `backward` or `grad`."""
    functions = (call.func for call in tree.calls_in(statement))
    return any(
        isinstance(function, cst.Attribute) and function.attr.value in {"backward", "grad"} for function in functions
    )


def _move_warnings(
    tree: Tree, finding: Finding, pair: tuple[cst.CSTNode, cst.CSTNode], *, by_call: bool
) -> tuple[str, ...]:
    """Return the warnings of a move: a call, like an optimizer's step, may read gradients; a plain write does not."""
    if is_library_write(finding) or by_call:
        return (OLD,)
    return (OLD,) if statements_between(tree, *pair) else ()


def _move_candidate(
    text: str, tree: Tree, pair: tuple[cst.CSTNode, cst.CSTNode], warnings: tuple[str, ...]
) -> Candidate:
    here, there = tree.span_of(pair[0]), tree.span_of(pair[1])
    lines = normalise_text(text).split("\n")
    row, column = tree.end_of_block(pair[1])
    moved = "\n".join(lines[here.row - 1 : tree.end_of_block(pair[0])[0]])
    edits = (remove_paragraph(tree, pair[0]), insert_at(here.file, row, column, f"\n{moved}"))
    return Candidate(f"Move line {here.row} after the backward on line {there.row}", edits, (), warnings)


def find_shared_block(tree: Tree, write: Span, backward: Span) -> tuple[cst.CSTNode, cst.CSTNode] | None:
    """Return the statements of the innermost common block that contain the write and the backward."""
    of_write, of_backward = tree.nodes_around(write), tree.nodes_around(backward)
    for block in reversed(of_write):
        if isinstance(block, (cst.IndentedBlock, cst.Module)) and block in of_backward:
            first, second = (
                [statement for statement in block.body if statement in nodes] for nodes in (of_write, of_backward)
            )
            return (first[0], second[0]) if first and second and first[0] is not second[0] else None
    return None


def _may_move(tree: Tree, finding: Finding, write: cst.CSTNode, backward: cst.CSTNode) -> bool:
    if tree.span_of(write).row > tree.span_of(backward).row or not (_is_whole_line(write) and _is_whole_line(backward)):
        return False
    if isinstance(write, (cst.FunctionDef, cst.ClassDef)) or isinstance(backward, (cst.FunctionDef, cst.ClassDef)):
        return False
    if is_library_write(finding):
        return "backward(" not in tree.code_of(write)
    return "backward(" not in tree.code_of(write) and not _depends_on_write(tree, finding, write, backward)


def _is_whole_line(statement: cst.CSTNode) -> bool:
    return not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) == 1


def statements_between(tree: Tree, write: cst.CSTNode, backward: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the statements between the two in their block."""
    block = tree.parent_of(write)
    body: list[cst.CSTNode] = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
    return body[body.index(write) + 1 : body.index(backward)]


def is_library_write(finding: Finding) -> bool:
    """Return whether an optimizer or another library call writes on its own account."""
    writes = (event for event in finding.story if isinstance(event, Write) and event.span == finding.span)
    return is_step(finding) or any(write.actor is Actor.STEP for write in writes)


def _depends_on_write(tree: Tree, finding: Finding, write: cst.CSTNode, backward: cst.CSTNode) -> bool:
    """Return whether a statement in between uses what the write uses, or the write uses gradients."""
    names = {getattr(getattr(event, "tensor", None), "name", "") for event in finding.story} - {""}
    reads, writes = reads_and_bindings(tree, write)
    own = _add_view_names(tree, {*names, *_root_variables({*reads, *writes})})
    if "grad" in tree.code_of(write).replace("no_grad", ""):
        return True
    for statement in (*statements_between(tree, write, backward), backward):
        read, bound = reads_and_bindings(tree, statement)
        if own & _root_variables({*read, *bound}):
            return True
    return False


def _add_view_names(tree: Tree, names: set[str]) -> set[str]:
    """Return `names` and the names that may share their memory by an assignment: `same = y.float()`, `row = y[0]`."""
    pairs = []
    for node in tree.all_nodes():
        if isinstance(node, cst.Assign):
            read = {tree.code_of(source) for source in memory_sources(node.value)}
            bound = {tree.code_of(part) for target in node.targets for part in memory_sources(target.target)}
            pairs.append(_root_variables(read | bound) if read else set())
    found = set(names)
    while new := {name for pair in pairs if pair & found for name in pair} - found:
        found |= new
    return found


def _root_variables(names: set[str]) -> set[str]:
    """Return the variables without their attributes; modules of torch keep nothing."""
    return {name.split(".")[0] for name in names} - {"torch", "th", "F", "nn", "range", "zip", "len", "enumerate"}
