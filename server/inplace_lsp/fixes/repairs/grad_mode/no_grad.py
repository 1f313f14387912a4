"""Put an update or an initialisation of a leaf under `with torch.no_grad():`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, is_number
from inplace_lsp.fixes.program.codes import LEAF_WRITES, is_leaf_write
from inplace_lsp.fixes.program.flow import is_loop_target
from inplace_lsp.fixes.program.on_tapes import tensor_states
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site, Tree
from inplace_lsp.fixes.program.written import find_written_names
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Create, Span, Write

FILLS = frozenset({"zero_", "fill_", "normal_", "uniform_", "copy_", "bernoulli_", "random_", "trunc_normal_", "eye_"})
WARNING = "no gradient flows through this write"


def update_under_no_grad(context: RepairContext) -> Iterator[Candidate]:
    """Put the site's line under `no_grad` if it looks like an update or an initialisation, with those right after it
    that do too."""
    site = context.site
    if site is not None and _needs_no_gradient(site, context):
        warnings = _warn_about_use(site, context)
        yield from _wrap_updates(site, context, warnings)
        yield from _wrap_statement(site, warnings)


def update_loop_under_no_grad(context: RepairContext) -> Iterator[Candidate]:
    """Put a loop that updates or initialises the rows of a leaf under `no_grad`."""
    site = context.site
    if site is not None and _needs_no_gradient(site, context):
        yield from _wrap_loop(site, context.finding, _warn_about_use(site, context))


def write_under_no_grad(context: RepairContext) -> Iterator[Candidate]:
    """Put any other write under `no_grad`: its result then gets no gradient."""
    site = context.site
    if site is not None and not _needs_no_gradient(site, context):
        yield from _wrap_statement(site, (WARNING,))


def write_loop_under_no_grad(context: RepairContext) -> Iterator[Candidate]:
    """Put any other loop over the rows of a leaf under `no_grad`."""
    site = context.site
    if site is not None and not _needs_no_gradient(site, context):
        yield from _wrap_loop(site, context.finding, (WARNING,))


UPDATE_UNDER_NO_GRAD = Repair(LEAF_WRITES, update_under_no_grad)
UPDATE_LOOP_UNDER_NO_GRAD = Repair(frozenset({"IP203"}), update_loop_under_no_grad)
WRITE_UNDER_NO_GRAD = Repair(LEAF_WRITES, write_under_no_grad)
WRITE_LOOP_UNDER_NO_GRAD = Repair(frozenset({"IP203"}), write_loop_under_no_grad)


def _wrap_statement(site: Site, warnings: tuple[str, ...]) -> Iterator[Candidate]:
    if site.torch is None:
        return
    head = f"with {site.torch.name}.no_grad():"
    edits = tuple(_join_block_above(site, head) or _open_block(site, head))
    if edits:
        message = f"Write under `{site.torch.name}.no_grad()`"
        yield Candidate(message, (*site.torch.edits, *edits), (), warnings)


def _wrap_updates(site: Site, context: RepairContext, warnings: tuple[str, ...]) -> Iterator[Candidate]:
    """Put the line and the updates and initialisations right after it into one block, with others next to it that
    are refused alike."""
    refused = {found.span.row for found in context.findings if is_leaf_write(found)}
    block = site.tree.parent_of(site.line)
    body: list[cst.CSTNode] = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
    if not site.is_alone or site.line not in body or site.torch is None:
        return
    head = f"with {site.torch.name}.no_grad():"
    at = body.index(site.line)
    above = takewhile(lambda line: _is_refused(site, line, refused), reversed(body[:at]))
    behind = takewhile(lambda line: _is_single_update(site, line) or _is_refused(site, line, refused), body[at + 1 :])
    lines = [*reversed([*above]), site.line, *behind]
    if len(lines) > 1 and not _join_block_above(site, head):
        first, last = site.tree.span_of(lines[0]).row, site.tree.end_of_block(lines[-1])[0]
        message = f"Write lines {first} to {last} under `{site.torch.name}.no_grad()`"
        yield Candidate(message, (*site.torch.edits, *_indent_under(site.tree, first, last, head)), (), warnings)


def _is_refused(site: Site, line: cst.CSTNode, refused: set[int]) -> bool:
    """Return whether a line is one statement that writes a leaf, too."""
    alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    return alone and site.tree.span_of(line).row in refused


def _is_single_update(site: Site, line: cst.CSTNode) -> bool:
    """Return whether a line is one statement that looks like an update or an initialisation."""
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return False
    other = replace(site, statement=line.body[0], line=line)
    return _is_initialisation(other) or (isinstance(line.body[0], cst.AugAssign) and _is_update(other))


def _wrap_loop(site: Site, finding: Finding, warnings: tuple[str, ...]) -> Iterator[Candidate]:
    """Put the loop over a leaf's rows under `no_grad`: grad mode forbids writes to these views."""
    loops = [node for node in site.tree.parents_of(site.statement) if isinstance(node, cst.For)]
    if not loops or not _is_view_of_leaf(finding) or site.torch is None:
        return
    first, last = site.tree.span_of(loops[0]).row, site.tree.end_of_block(loops[0])[0]
    message = f"Run the loop on line {first} under `{site.torch.name}.no_grad()`"
    edits = _indent_under(site.tree, first, last, f"with {site.torch.name}.no_grad():")
    yield Candidate(message, (*site.torch.edits, *edits), (), warnings)


def _is_view_of_leaf(finding: Finding) -> bool:
    """Return whether the written tensor is a view of a leaf that requires grad."""
    written = [event.tensor for event in finding.story if isinstance(event, Write) and event.span == finding.span]
    return any(target.base is not None and target.base_leaf and target.requires_grad for target in written)


def _indent_under(tree: Tree, first: int, last: int, head: str) -> Iterator[Edit]:
    """Put rows under `head`, indented one level deeper; yield nothing if a string spans several of them."""
    rows = tree.wrapper.module.code.split("\n")[first - tree.first_row : last - tree.first_row + 1]
    if _spans_rows_by_string("\n".join(rows)):
        return
    indent = tree.indentation_of(first)
    step = "\t" if "\t" in indent else "    "
    yield insert_at(tree.file, first, 0, f"{indent}{head}\n")
    for at, row in enumerate(rows):
        if row.strip():
            yield insert_at(tree.file, first + at, 0, step)


def _spans_rows_by_string(text: str) -> bool:
    return any(mark in text for mark in ('"""', "'''"))


def _join_block_above(site: Site, head: str) -> list[Edit]:
    """Move the line into the block under `head` that ends right above it."""
    block = site.tree.parent_of(site.line)
    body: list[cst.CSTNode] = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
    at = body.index(site.line) if site.is_alone and site.line in body else 0
    above = body[at - 1] if at > 0 else None
    if not isinstance(above, cst.With) or not isinstance(above.body, cst.IndentedBlock):
        return []
    start, first = site.tree.span_of(site.line), site.tree.span_of(above.body.body[0])
    close = site.tree.end_of_block(above)[0] + 1 == start.row
    if not close or f"with {', '.join(site.tree.code_of(item.item) for item in above.items)}:" != head:
        return []
    return [insert_at(start.file, start.row, 0, site.tree.indentation_of(first.row)[start.column :])]


def _open_block(site: Site, head: str) -> Iterator[Edit]:
    """Put the statement under `head`; give its neighbours on the same row rows of their own."""
    here = site.tree.span_of(site.statement)
    indent = site.tree.indentation_of(here.row)
    step = "\t" if "\t" in indent else "    "
    at = site.line.body.index(site.statement)
    if at > 0 and isinstance(site.line, cst.SimpleStatementSuite):
        return
    start = Span(here.file, here.row, here.column, here.row, here.column)
    if at > 0:
        before = site.tree.span_of(site.line.body[at - 1])
        start = Span(here.file, before.end_row, before.end_column, here.row, here.column)
    elif isinstance(site.line, cst.SimpleStatementSuite):
        indent += step
        gap = len(site.line.leading_whitespace.value)
        start = Span(here.file, here.row, here.column - gap, here.row, here.column)
    lead = "" if site.is_alone or start.column == len(indent) else f"\n{indent}"
    yield Edit(f"{lead}{head}\n{indent}{step}", start)
    if site.is_alone and not _spans_rows_by_string(site.tree.code_of(site.statement)):
        yield from (insert_at(here.file, row, 0, step) for row in range(here.row + 1, here.end_row + 1))
    if at + 1 < len(site.line.body):
        after = site.tree.span_of(site.line.body[at + 1])
        yield Edit(f"\n{indent}", Span(here.file, here.end_row, here.end_column, after.row, after.column))


def _needs_no_gradient(site: Site, context: RepairContext) -> bool:
    """Return whether the write is an update, an initialisation or any other change of a parameter."""
    made = (event.op for event in context.finding.story if isinstance(event, Create))
    return (
        _is_update(site)
        or _is_initialisation(site)
        or _is_in_initialiser(site)
        or "Parameter" in made
        or context.is_moved_by_steps
        or _writes_loop_target(site, context.finding)
        or _reads_own_gradient(site, context.finding)
    )


def _writes_loop_target(site: Site, finding: Finding) -> bool:
    """Return whether the leaf is an element that a loop goes through, `for p in net.parameters()`: its container keeps
    it, so that it cannot be replaced."""
    return is_leaf_write(finding) and any(
        is_loop_target(site.tree, site.statement, written) for written in find_written_names(site, finding)
    )


def _reads_own_gradient(site: Site, finding: Finding) -> bool:
    """Return whether the function reads `x.grad`, which only a leaf gets."""
    finder = _Gradients(site.tree)
    site.tree.scope_of(site.statement).visit(finder)
    return any(isinstance(event, Write) and event.tensor.name in finder.names for event in finding.story)


class _Gradients(cst.CSTVisitor):
    """Variables whose `.grad` is read."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.names: set[str] = set()

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Attribute) and node.attr.value == "grad":
            self.names.add(self.tree.code_of(node.value))
        return True


def _reads_tensor(site: Site, context: RepairContext) -> bool:
    """Return whether the written value depends on another tensor, or an expression that may be one: a projection like
    `weight.clamp_(0, 1)` does not."""
    known = {state.name for tape in context.tapes for event in tape.events for state in tensor_states(event)}
    written = {site.tree.code_of(node) for node in find_written_names(site, context.finding)}
    for node in _list_operands(site):
        code = site.tree.code_of(node)
        is_unknown_name = isinstance(node, (cst.Name, cst.Attribute)) and code not in known
        if not is_number(node) and not is_unknown_name and code not in written:
            return True
    return False


def _list_operands(site: Site) -> list[cst.BaseExpression]:
    """Return what the statement assigns, and what it gives to calls."""
    given = [argument.value for call in site.tree.calls_in(site.statement) for argument in call.args]
    return [*given, site.statement.value] if isinstance(site.statement, (cst.AugAssign, cst.Assign)) else given


def _stands_for_itself(site: Site, context: RepairContext) -> bool:
    """Return whether a write certainly is no part of a computation: an update of parameters, or how they are made."""
    if _is_update(site) or _is_initialisation(site) or _is_in_initialiser(site):
        return True
    return _writes_loop_target(site, context.finding) or _reads_own_gradient(site, context.finding)


def _warn_about_use(site: Site, context: RepairContext) -> tuple[str, ...]:
    """Return a warning where the function goes on to compute with what it writes: the write may be meant as a part of
    that, and then its gradient is lost."""
    if _stands_for_itself(site, context) or not _reads_tensor(site, context):
        return ()
    names = {site.tree.code_of(written) for written in find_written_names(site, context.finding)}
    end = site.tree.span_of(site.statement)
    behind = (
        node
        for node in site.tree.nodes_within(site.tree.span_of(site.tree.scope_of(site.statement)))
        if isinstance(node, (cst.Name, cst.Attribute)) and site.tree.span_of(node).row > end.end_row
    )
    return (WARNING,) if any(site.tree.code_of(node) in names for node in behind) else ()


def _is_update(site: Site) -> bool:
    """Return whether the statement computes with a gradient: `weight -= lr * weight.grad`."""
    return ".grad" in site.tree.code_of(site.statement)


def _is_initialisation(site: Site) -> bool:
    """Return whether the statement fills in numbers: `weight[0] = 0.0`, `weight.normal_()`."""
    statement = site.statement
    if isinstance(statement, cst.Assign):
        return is_number(statement.value) and not any(
            _selects_by_value(site, target.target) for target in statement.targets
        )
    call = statement.value if isinstance(statement, cst.Expr) else None
    return isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) and call.func.attr.value in FILLS


def _is_in_initialiser(site: Site) -> bool:
    """Return whether the method's name says that it initialises parameters."""
    function = site.tree.function_of(site.statement)
    name = function.name.value if isinstance(function, cst.FunctionDef) else ""
    return name.lstrip("_").startswith(("init", "reset"))


def _selects_by_value(site: Site, target: cst.BaseExpression) -> bool:
    """Return whether the index reads the target: `x[x < 0] = 0` computes with `x` instead of initialising it."""
    return isinstance(target, cst.Subscript) and any(
        site.tree.code_of(target.value) in site.tree.code_of(part.slice) for part in target.slice
    )
