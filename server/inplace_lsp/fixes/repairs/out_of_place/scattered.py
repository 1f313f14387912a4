"""`x[:, 0] = v` as `x = x.select_scatter(v, dim=1, index=0)`: an item written out of place by an op made for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, is_number, is_plain, one_line, replace_node, use
from inplace_lsp.fixes.program.integers import Integers
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.fixes.program.written import is_put
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Tape, TensorState, View

WARNING = "the value must have the shape of what it replaces"


def scattered(site: Site, finding: Finding, tapes: Sequence[Tape]) -> Iterator[Candidate]:
    """For IP101 and one row, one slice, or what indices or a mask select, where the value is a tensor."""
    statement = site.statement
    if finding.code != "IP101" or not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return
    target = statement.targets[0].target
    if not isinstance(target, cst.Subscript) or not is_plain(target.value):
        return
    if is_number(statement.value) or not _Tensors(site, tapes).has(statement.value):
        return
    name, value = site.tree.code(target.value), site.tree.code(statement.value)
    by_indices = is_put(finding)
    call = _put(site, target, value) if by_indices else _scatter(site, target, value)
    if call:
        content = f"{name} = {name}.{call}"
        edit = replace_node(site, statement, content)
        warnings = () if by_indices else (WARNING,)
        yield Candidate(f"Write out of place: `{one_line(content)}`", (edit,), use(site, target.value), warnings)


def _put(site: Site, target: cst.Subscript, value: str) -> str:
    indices = [one.slice.value for one in target.slice if isinstance(one.slice, cst.Index) and not one.slice.star]
    if len(indices) < len(target.slice) or not all(isinstance(one, (cst.Name, cst.Attribute)) for one in indices):
        return ""
    names = ", ".join(map(site.tree.code, indices))
    return f"index_put(({names}{',' * (len(indices) == 1)}), {value})"


def _scatter(site: Site, target: cst.Subscript, value: str) -> str:
    """The call for the one dimension that is not taken whole; "" where there are more, or none."""
    items = [one.slice for one in target.slice]
    back = bool(items) and _is_dots(items[0])
    items = items[1:] if back else items
    chosen = [at for at, one in enumerate(items) if not _is_whole(one)]
    if len(chosen) != 1 or any(_is_dots(one) for one in items):
        return ""
    dim, item = chosen[0] - (len(items) if back else 0), items[chosen[0]]
    if isinstance(item, cst.Slice):
        return "" if item.step is not None else f"slice_scatter({value}, {', '.join(_bounds(site, item, dim))})"
    is_row = isinstance(item, cst.Index) and Integers(site.tree, site.statement).is_integer(item.value)
    return f"select_scatter({value}, dim={dim}, index={site.tree.code(item)})" if is_row else ""


def _bounds(site: Site, item: cst.Slice, dim: int) -> Iterator[str]:
    yield f"dim={dim}"
    for name, bound in (("start", item.lower), ("end", item.upper)):
        if bound is not None:
            yield f"{name}={site.tree.code(bound)}"


def _is_whole(item: cst.BaseSlice) -> bool:
    return isinstance(item, cst.Slice) and item.lower is item.upper is item.step is None


def _is_dots(item: cst.BaseSlice) -> bool:
    return isinstance(item, cst.Index) and isinstance(item.value, cst.Ellipsis)


class _Tensors:
    """Which expressions of a function are tensors by the names in them: those that a tape shows, and what is computed
    from such."""

    def __init__(self, site: Site, tapes: Sequence[Tape]) -> None:
        self.site = site
        states: list[object] = []
        for event in (event for tape in tapes for event in tape.events):
            states += [getattr(event, "tensor", None), event.of if isinstance(event, View) else None]
        self.names = {one.name for one in states if isinstance(one, TensorState) and one.name}
        for node in site.tree.within(site.tree.span(site.tree.scope_of(site.statement))):
            if isinstance(node, cst.Assign) and node is not site.statement and self.has(node.value):
                self.names |= {site.tree.code(one.target) for one in node.targets}

    def has(self, value: cst.BaseExpression) -> bool:
        """Whether an expression computes with a tensor: with one of the names, or by a function of torch."""
        torch = self.site.torch.name if self.site.torch is not None else "torch"
        if isinstance(value, cst.Call) and self.site.tree.code(value.func).startswith(f"{torch}."):
            return True
        if isinstance(value, cst.BinaryOperation):
            return self.has(value.left) or self.has(value.right)
        if isinstance(value, cst.UnaryOperation):
            return self.has(value.expression)
        if isinstance(value, cst.Call):
            return isinstance(value.func, cst.Attribute) and not _is_plain(value.func) and self.has(value.func.value)
        if isinstance(value, cst.Subscript):
            return self.has(value.value)
        return self.site.tree.code(value) in self.names


def _is_plain(method: cst.Attribute) -> bool:
    """`x.item()`, `x.size(0)`: what is no tensor."""
    return method.attr.value in {"item", "tolist", "size", "dim", "numel", "stride", "numpy"}
