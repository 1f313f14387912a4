"""A second name for a tensor, or a view of it, that is written later becomes a copy where it is made."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Use, one_line
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.flow import binding_of, is_read_after
from inplace_lsp.fixes.program.precedence import is_closed
from inplace_lsp.fixes.program.site import Site, Tree
from inplace_lsp.fixes.program.written import copy_method, written_by
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import View


def copy_alias(site: Site, finding: Finding) -> Iterator[Candidate]:
    """For IP101 and IP301: `target = q.detach()`, the last binding of a written name, as `q.detach().clone()`."""
    if finding.code not in {"IP101", "IP301"}:
        return
    for written in written_by(site, finding):
        maker = _maker(site, written) if isinstance(written, cst.Name) else None
        if maker is None or not _is_alias(site.tree, finding, maker):
            continue
        if not is_read_after(site.tree, site.statement, site.tree.code(written)):
            continue  # nobody would see the write
        end = site.tree.span(maker.value)
        shift = sum(len(site.tree.code(one)) for one in maker.value.rpar)
        edit = insertion(end.file, end.end_row, end.end_column + shift, f".{copy_method(finding)}()")
        content = f"{site.tree.code(written)} = {site.tree.code(maker.value)}.{copy_method(finding)}()"
        base = site.tree.code(_base(maker.value))
        gone = isinstance(_base(maker.value), cst.Name) and not is_read_after(site.tree, maker, base)
        uses = (Use(site.tree, site.statement, written, gone=(base,)),) if gone else ()
        warnings = () if gone else (f"`{one_line(base)}` keeps the old values",)
        yield Candidate(f"Make a copy on line {end.row}: `{one_line(content)}`", (edit,), uses, warnings)
        return


def _maker(site: Site, written: cst.Name) -> cst.Assign | None:
    """The last assignment to the name in front of the write, if every way to the write leads past it."""
    blocks = [one for one in site.tree.parents(site.statement) if isinstance(one, (cst.IndentedBlock, cst.Module))]
    row = site.tree.span(site.statement).row
    found = [
        one
        for one in site.tree.within(site.tree.span(site.tree.scope_of(site.statement)))
        if isinstance(one, cst.Name) and one.value == written.value and site.tree.span(one).row < row
    ]
    bindings = [binding for one in found if (binding := binding_of(site.tree, one)) is not None]
    last = max(bindings, key=lambda one: site.tree.span(one).row, default=None)
    line = site.tree.parent(last) if last is not None else None
    passed = line is not None and any(line in block.body for block in blocks)
    return last if isinstance(last, cst.Assign) and len(last.targets) == 1 and passed else None


def _is_alias(tree: Tree, finding: Finding, maker: cst.Assign) -> bool:
    if not isinstance(maker.targets[0].target, cst.Name):
        return False
    span = tree.span(maker)
    views = [one for one in finding.story if isinstance(one, View) and one.span.row == span.row]
    plain = isinstance(maker.value, (cst.Name, cst.Attribute))
    return plain or (bool(views) and is_closed(maker.value))


def _base(value: cst.BaseExpression) -> cst.BaseExpression:
    """`q` of `q.detach()[0]`."""
    while isinstance(value, (cst.Call, cst.Subscript)):
        inner = value.func if isinstance(value, cst.Call) else value.value
        value = inner.value if isinstance(inner, cst.Attribute) and isinstance(value, cst.Call) else inner
        if isinstance(inner, cst.Name):
            break
    return value
