"""An update or an initialisation of a leaf belongs under `with torch.no_grad():`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.candidate import Candidate, is_number
from inplace_lsp.fixes.edits import insertion
from inplace_lsp.fixes.site import Site
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Create

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
    if finding.code not in {"IP201", "IP202"} or not site.imports_torch or len(site.line.body) != 1:
        return
    start = site.tree.span(site.statement)
    indent = site.tree.indent_of(start.row, start.column)
    step = "\t" if "\t" in indent else "    "
    edit = insertion(start.file, start.row, start.column, f"with torch.no_grad():\n{indent}{step}")
    yield Candidate("Write under `torch.no_grad()`", (edit,), (), warnings)


def _is_meant(site: Site, finding: Finding) -> bool:
    """Whether nobody wants a gradient of the write: an update, an initialisation, anything done to a parameter."""
    made = (event.op for event in finding.story if isinstance(event, Create))
    return _is_update(site) or _is_initialisation(site) or "Parameter" in made


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


def _selects_by_value(site: Site, target: cst.BaseExpression) -> bool:
    """`x[x < 0] = 0` is a computation with `x`, not an initialisation of it."""
    return isinstance(target, cst.Subscript) and any(
        site.tree.code(target.value) in site.tree.code(one.slice) for one in target.slice
    )
