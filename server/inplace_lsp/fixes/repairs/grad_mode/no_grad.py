"""An update or an initialisation of a leaf belongs under `with torch.no_grad():`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, is_number
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.site import Site, Tree
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Create, Span, Write

FILLS = frozenset({"zero_", "fill_", "normal_", "uniform_", "copy_", "bernoulli_", "random_", "trunc_normal_", "eye_"})
WARNING = "no gradient flows through this write"


def no_grad(site: Site, finding: Finding) -> Iterator[Candidate]:
    """Put the line of the site under `no_grad`, where it is an update or an initialisation by its form."""
    if _is_meant(site, finding):
        yield from _wrapped(site, finding, ())


def no_grad_all_the_same(site: Site, finding: Finding) -> Iterator[Candidate]:
    """The same for any other write: what it computes then gets no gradient."""
    if not _is_meant(site, finding):
        yield from _wrapped(site, finding, (WARNING,))


def _wrapped(site: Site, finding: Finding, warnings: tuple[str, ...]) -> Iterator[Candidate]:
    if finding.code not in {"IP201", "IP202"} or site.torch is None:
        return
    head = f"with {site.torch.name}.no_grad():"
    edits = tuple(_joined(site, head) or _in_block(site, head))
    if edits:
        message = f"Write under `{site.torch.name}.no_grad()`"
        yield Candidate(message, (*site.torch.edits, *edits), (), warnings)


def _joined(site: Site, head: str) -> list[Edit]:
    """Put the line into the block under `head` that ends right above it."""
    block = site.tree.parent(site.line)
    body: list[cst.CSTNode] = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
    at = body.index(site.line) if site.is_alone and site.line in body else 0
    above = body[at - 1] if at > 0 else None
    if not isinstance(above, cst.With) or not isinstance(above.body, cst.IndentedBlock):
        return []
    start, first = site.tree.span(site.line), site.tree.span(above.body.body[0])
    close = site.tree.last_of(above)[0] + 1 == start.row
    if not close or f"with {', '.join(site.tree.code(one.item) for one in above.items)}:" != head:
        return []
    return [insertion(start.file, start.row, 0, site.tree.indentation(first.row)[start.column :])]


def _in_block(site: Site, head: str) -> Iterator[Edit]:
    """Put the statement under `head`; what stands on the same row before or after it gets rows of its own."""
    here = site.tree.span(site.statement)
    indent = site.tree.indentation(here.row)
    step = "\t" if "\t" in indent else "    "
    at = site.line.body.index(site.statement)
    if at > 0 and isinstance(site.line, cst.SimpleStatementSuite):
        return
    start = Span(here.file, here.row, here.column, here.row, here.column)
    if at > 0:
        before = site.tree.span(site.line.body[at - 1])
        start = Span(here.file, before.end_row, before.end_column, here.row, here.column)
    elif isinstance(site.line, cst.SimpleStatementSuite):
        indent += step
        gap = len(site.line.leading_whitespace.value)
        start = Span(here.file, here.row, here.column - gap, here.row, here.column)
    lead = "" if site.is_alone or start.column == len(indent) else f"\n{indent}"
    yield Edit(f"{lead}{head}\n{indent}{step}", start)
    if at + 1 < len(site.line.body):
        after = site.tree.span(site.line.body[at + 1])
        yield Edit(f"\n{indent}", Span(here.file, here.end_row, here.end_column, after.row, after.column))


def _is_meant(site: Site, finding: Finding) -> bool:
    """Whether nobody wants a gradient of the write: an update, an initialisation, anything done to a parameter."""
    made = (event.op for event in finding.story if isinstance(event, Create))
    return (
        _is_update(site)
        or _is_initialisation(site)
        or _initialises(site)
        or "Parameter" in made
        or _has_to_stay_leaf(site, finding)
    )


def _has_to_stay_leaf(site: Site, finding: Finding) -> bool:
    """Whether the function reads the gradient that only a leaf gets: `x.grad`."""
    finder = _Gradients(site.tree)
    site.tree.scope_of(site.statement).visit(finder)
    return any(isinstance(one, Write) and one.tensor.name in finder.names for one in finding.story)


class _Gradients(cst.CSTVisitor):
    """The variables whose `.grad` is named."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.names: set[str] = set()

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Attribute) and node.attr.value == "grad":
            self.names.add(self.tree.code(node.value))
        return True


def _is_update(site: Site) -> bool:
    """It computes with a gradient: `weight -= lr * weight.grad`."""
    return ".grad" in site.tree.code(site.statement)


def _is_initialisation(site: Site) -> bool:
    """It fills in numbers: `weight[0] = 0.0`, `weight.normal_()`."""
    statement = site.statement
    if isinstance(statement, cst.Assign):
        return is_number(statement.value) and not any(_selects_by_value(site, one.target) for one in statement.targets)
    call = statement.value if isinstance(statement, cst.Expr) else None
    return isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) and call.func.attr.value in FILLS


def _initialises(site: Site) -> bool:
    """Whether it is part of a method that by its name gives parameters their first values."""
    function = site.tree.function_of(site.statement)
    name = function.name.value if isinstance(function, cst.FunctionDef) else ""
    return name.lstrip("_").startswith(("init", "reset"))


def _selects_by_value(site: Site, target: cst.BaseExpression) -> bool:
    """`x[x < 0] = 0` is a computation with `x`, not an initialisation of it."""
    return isinstance(target, cst.Subscript) and any(
        site.tree.code(target.value) in site.tree.code(one.slice) for one in target.slice
    )
