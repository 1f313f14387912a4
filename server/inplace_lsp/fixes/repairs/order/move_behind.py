"""A write that comes too early goes behind the last backward that needs the old values."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.aliases import shared
from inplace_lsp.fixes.program.candidate import Candidate, without_lines
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.flow import uses
from inplace_lsp.fixes.program.passed_on import calls_of
from inplace_lsp.fixes.program.site import Tree, tree_at, whole_tree
from inplace_lsp.fixes.program.slices import statements_of
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.source.units import normalise
from inplace_lsp.tape.model import Actor, Span, Write

STEP = "what runs between sees the old values, and what is moved the gradients of the later backward too"
WRITE = "what runs between sees the old values"
MOVED = frozenset({"IP101", "IP102", "IP301"})


def move_behind(text: str, finding: Finding) -> Iterator[Candidate]:
    """Where the write (or the loop, or the call, it happens in) and the backward are statements of one block, and
    nothing between names what is written. What nobody has saved is not written too early."""
    backwards = [one.span for one in finding.related if one.role == "backward" and one.span.file == finding.span.file]
    last = max(backwards, key=lambda span: span.row, default=None)
    is_saved = any(one.role == "saved" for one in finding.related)
    if finding.code not in MOVED or last is None or not is_saved:
        return
    for place in places_of(text, finding, finding.span):
        tree = tree_at(text, place)
        pairs = (in_one_block(tree, place, one) for one in places_of(text, finding, last)) if tree is not None else ()
        for found in pairs:
            pair = (found[0], _last_walk(tree, found[1])) if tree is not None and found is not None else None
            if tree is not None and pair is not None and _may_move(tree, finding, *pair):
                by_call = place != finding.span
                yield _moved(text, tree, pair, _warnings(tree, finding, pair, by_call=by_call))
                return


def places_of(text: str, finding: Finding, place: Span) -> list[Span]:
    """The place itself, the call through which a run came to the write, and, the last one first, the calls of the
    function that the place lies in."""
    tree = whole_tree(text, finding.span.file)
    functions = [one for one in tree.covering(place) if isinstance(one, cst.FunctionDef)] if tree else []
    calls = calls_of(tree, functions[-1].name.value) if tree is not None and functions else []
    writes = (one for one in finding.story if isinstance(one, Write) and one.span == place)
    through = (one.call for one in writes if one.call is not None and one.call.file == place.file)
    spans = sorted((tree.span(one) for one in calls if tree is not None), reverse=True)
    return list(dict.fromkeys([place, *through, *spans]))


def _last_walk(tree: Tree, backward: cst.CSTNode) -> cst.CSTNode:
    """The statement of the backward; the last one of its block that walks a graph if the backward makes one
    (`create_graph=True`): that graph needs the old values too."""
    keywords = [one for call in tree.calls_in(backward) for one in call.args if one.keyword is not None]
    if not any(one.keyword and one.keyword.value == "create_graph" for one in keywords):
        return backward
    block = statements_of(tree.parent(backward))
    return [one for one in block[block.index(backward) :] if one is backward or _walks(tree, one)][-1]


def _walks(tree: Tree, statement: cst.CSTNode) -> bool:
    """Whether a statement calls `backward` or `grad`."""
    functions = (one.func for one in tree.calls_in(statement))
    return any(isinstance(one, cst.Attribute) and one.attr.value in {"backward", "grad"} for one in functions)


def _warnings(tree: Tree, finding: Finding, pair: tuple[cst.CSTNode, cst.CSTNode], *, by_call: bool) -> tuple[str, ...]:
    """What is called may look at gradients, as a step does; a write in sight does not."""
    if is_step(finding) or by_call:
        return (STEP,)
    return (WRITE,) if between(tree, *pair) else ()


def _moved(text: str, tree: Tree, pair: tuple[cst.CSTNode, cst.CSTNode], warnings: tuple[str, ...]) -> Candidate:
    here, there = tree.span(pair[0]), tree.span(pair[1])
    lines = normalise(text).split("\n")
    row, column = tree.last_of(pair[1])
    moved = "\n".join(lines[here.row - 1 : tree.last_of(pair[0])[0]])
    edits = (without_lines(tree, pair[0]), insertion(here.file, row, column, f"\n{moved}"))
    return Candidate(f"Move line {here.row} behind the backward on line {there.row}", edits, (), warnings)


def in_one_block(tree: Tree, write: Span, backward: Span) -> tuple[cst.CSTNode, cst.CSTNode] | None:
    """The statements of the innermost block they share that hold the write and the backward."""
    of_write, of_backward = tree.covering(write), tree.covering(backward)
    for block in reversed(of_write):
        if isinstance(block, (cst.IndentedBlock, cst.Module)) and block in of_backward:
            first, second = ([one for one in block.body if one in nodes] for nodes in (of_write, of_backward))
            return (first[0], second[0]) if first and second and first[0] is not second[0] else None
    return None


def _may_move(tree: Tree, finding: Finding, write: cst.CSTNode, backward: cst.CSTNode) -> bool:
    if tree.span(write).row > tree.span(backward).row or not (_is_whole(write) and _is_whole(backward)):
        return False
    if isinstance(write, (cst.FunctionDef, cst.ClassDef)) or isinstance(backward, (cst.FunctionDef, cst.ClassDef)):
        return False
    if is_step(finding):
        owner = tree.statement_text(write).split("(", 1)[0].rsplit(".", 1)[0]
        walks = (*between(tree, write, backward), backward)
        if _reads_gradients(finding) and any(_accumulates(tree, one) for one in walks):
            return False
        zeroed = any(_calls(tree, one, f"{owner}.zero_grad") for one in (*between(tree, write, backward), backward))
        return "backward(" not in tree.code(write) and not zeroed
    return "backward(" not in tree.code(write) and not _depends(tree, finding, write, backward)


def _reads_gradients(finding: Finding) -> bool:
    """Whether what writes may train on gradients: anything but the loading of a state."""
    writes = [one for one in finding.story if isinstance(one, Write) and one.span == finding.span]
    return not writes or any(one.op != "load_state_dict" for one in writes)


def _accumulates(tree: Tree, statement: cst.CSTNode) -> bool:
    """Whether a walk in a statement adds to the gradients of all parameters that it comes to: a step that is moved
    behind it would train on those as well. `autograd.grad` adds to none, `backward(inputs=...)` to those named."""
    for call in tree.calls_in(statement):
        named = {one.keyword.value for one in call.args if one.keyword is not None}
        is_backward = isinstance(call.func, cst.Attribute) and call.func.attr.value in {"backward", "manual_backward"}
        if is_backward and "inputs" not in named:
            return True
    return False


def _calls(tree: Tree, statement: cst.CSTNode, function: str) -> bool:
    return any(tree.code(one.func) == function for one in tree.calls_in(statement))


def _is_whole(statement: cst.CSTNode) -> bool:
    return not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) == 1


def between(tree: Tree, write: cst.CSTNode, backward: cst.CSTNode) -> list[cst.CSTNode]:
    """The statements between the two in their block."""
    block = tree.parent(write)
    body: list[cst.CSTNode] = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
    return body[body.index(write) + 1 : body.index(backward)]


def is_step(finding: Finding) -> bool:
    """Whether the write is an optimizer's, or another library call's on its own account."""
    writes = (one for one in finding.story if isinstance(one, Write) and one.span == finding.span)
    return finding.code == "IP102" or any(one.actor is Actor.STEP for one in writes)


def _depends(tree: Tree, finding: Finding, write: cst.CSTNode, backward: cst.CSTNode) -> bool:
    """Whether a statement on the way has anything to do with what the write uses, or the write with gradients."""
    names = {getattr(getattr(event, "tensor", None), "name", "") for event in finding.story} - {""}
    reads, writes = uses(tree, write)
    own = _with_views(tree, {*names, *_roots({*reads, *writes})})
    if "grad" in tree.code(write).replace("no_grad", ""):
        return True
    for statement in (*between(tree, write, backward), backward):
        read, bound = uses(tree, statement)
        if own & _roots({*read, *bound}):
            return True
    return False


def _with_views(tree: Tree, names: set[str]) -> set[str]:
    """`names` and those that an assignment may have made mean the same memory: `same = y.float()`, `row = y[0]`."""
    pairs = []
    for node in tree.every():
        if isinstance(node, cst.Assign):
            read = {tree.code(one) for one in shared(node.value)}
            bound = {tree.code(part) for one in node.targets for part in shared(one.target)}
            pairs.append(_roots(read | bound) if read else set())
    found = set(names)
    while new := {name for pair in pairs if pair & found for name in pair} - found:
        found |= new
    return found


def _roots(names: set[str]) -> set[str]:
    """The variables without their attributes; modules of torch keep nothing."""
    return {name.split(".")[0] for name in names} - {"torch", "th", "F", "nn", "range", "zip", "len", "enumerate"}
