"""Rewrite `x[:, 0] = v` as `x = x.select_scatter(v, dim=1, index=0)`, the out-of-place op for item assignment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.candidate import (
    Candidate,
    is_number,
    is_plain_name,
    rebind_at,
    replace_node,
    shorten_to_line,
)
from inplace_lsp.fixes.program.integers import Integers
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.fixes.program.written import is_written_by_index
from inplace_lsp.tape.model import Tape, TensorState, View

WARNING = "the value must have the shape of what it replaces"


def scatter_value(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write where a tensor is assigned to a row, a slice, or what indices or a mask select."""
    site, finding = context.site, context.finding
    statement = site.statement if site is not None else None
    if site is None or not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return
    target = statement.targets[0].target
    if not isinstance(target, cst.Subscript) or not is_plain_name(target.value):
        return
    if is_number(statement.value) or not _TensorNames(site, context.tapes).is_tensor(statement.value):
        return
    name, value = site.tree.code_of(target.value), site.tree.code_of(statement.value)
    by_indices = is_written_by_index(finding)
    call = _index_put_call(site, target, value) if by_indices else _scatter_call(site, target, value)
    if call:
        content = f"{name} = {name}.{call}"
        edit = replace_node(site, statement, content)
        warnings = () if by_indices else (WARNING,)
        yield Candidate(
            f"Write out of place: `{shorten_to_line(content)}`", (edit,), rebind_at(site, target.value), warnings
        )


SCATTER_VALUE = Repair(frozenset({"IP101"}), scatter_value)


def _index_put_call(site: Site, target: cst.Subscript, value: str) -> str:
    indices = [part.slice.value for part in target.slice if isinstance(part.slice, cst.Index) and not part.slice.star]
    if len(indices) < len(target.slice) or not all(isinstance(index, (cst.Name, cst.Attribute)) for index in indices):
        return ""
    names = ", ".join(map(site.tree.code_of, indices))
    return f"index_put(({names}{',' * (len(indices) == 1)}), {value})"


def _scatter_call(site: Site, target: cst.Subscript, value: str) -> str:
    """Return the call if exactly one dimension is not taken whole, else ""."""
    items = [part.slice for part in target.slice]
    back = bool(items) and _is_ellipsis(items[0])
    items = items[1:] if back else items
    chosen = [at for at, element in enumerate(items) if not _is_whole(element)]
    if len(chosen) != 1 or any(_is_ellipsis(element) for element in items):
        return ""
    dim, item = chosen[0] - (len(items) if back else 0), items[chosen[0]]
    if isinstance(item, cst.Slice):
        return (
            "" if item.step is not None else f"slice_scatter({value}, {', '.join(_slice_arguments(site, item, dim))})"
        )
    is_row = isinstance(item, cst.Index) and Integers(site.tree, site.statement).is_integer(item.value)
    return f"select_scatter({value}, dim={dim}, index={site.tree.code_of(item)})" if is_row else ""


def _slice_arguments(site: Site, item: cst.Slice, dim: int) -> Iterator[str]:
    yield f"dim={dim}"
    for name, bound in (("start", item.lower), ("end", item.upper)):
        if bound is not None:
            yield f"{name}={site.tree.code_of(bound)}"


def _is_whole(item: cst.BaseSlice) -> bool:
    return isinstance(item, cst.Slice) and item.lower is item.upper is item.step is None


def _is_ellipsis(item: cst.BaseSlice) -> bool:
    return isinstance(item, cst.Index) and isinstance(item.value, cst.Ellipsis)


class _TensorNames:
    """The names in a function that hold tensors: by a tape, or by an assignment computed from such names."""

    def __init__(self, site: Site, tapes: Sequence[Tape]) -> None:
        self.site = site
        states: list[object] = []
        for event in (event for tape in tapes for event in tape.events):
            states += [getattr(event, "tensor", None), event.of if isinstance(event, View) else None]
        self.names = {state.name for state in states if isinstance(state, TensorState) and state.name}
        for node in site.tree.nodes_within(site.tree.span_of(site.tree.scope_of(site.statement))):
            if isinstance(node, cst.Assign) and node is not site.statement and self.is_tensor(node.value):
                self.names |= {site.tree.code_of(target.target) for target in node.targets}

    def is_tensor(self, value: cst.BaseExpression) -> bool:
        """Return whether an expression computes with one of the names, or calls a function of torch."""
        torch = self.site.torch.name if self.site.torch is not None else "torch"
        if isinstance(value, cst.Call) and self.site.tree.code_of(value.func).startswith(f"{torch}."):
            return True
        if isinstance(value, cst.BinaryOperation):
            return self.is_tensor(value.left) or self.is_tensor(value.right)
        if isinstance(value, cst.UnaryOperation):
            return self.is_tensor(value.expression)
        if isinstance(value, cst.Call):
            return (
                isinstance(value.func, cst.Attribute)
                and not _returns_no_tensor(value.func)
                and self.is_tensor(value.func.value)
            )
        if isinstance(value, cst.Subscript):
            return self.is_tensor(value.value)
        return self.site.tree.code_of(value) in self.names


def _returns_no_tensor(method: cst.Attribute) -> bool:
    """Return whether a method returns no tensor: `x.item()`, `x.size(0)`."""
    return method.attr.value in {"item", "tolist", "size", "dim", "numel", "stride", "numpy"}
