"""Rewrite `x[:, 0] = v` as `x = x.select_scatter(v, dim=1, index=0)`, the out-of-place op for item assignment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.candidate import (
    Candidate,
    is_number,
    rebind_at,
    replace_node,
    shorten_to_line,
)
from inplace_lsp.fixes.program.integers import Integers
from inplace_lsp.fixes.program.on_tapes import tensor_states
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.fixes.program.written import is_written_by_index, read_item_assignment
from inplace_lsp.tape.model import Tape

WARNING = "the value must have the shape of what it replaces"


def scatter_value(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write where a tensor is assigned to a row, a slice, or what indices or a mask select."""
    site = context.site
    written = read_item_assignment(site)
    if site is None or written is None or is_number(written.statement.value):
        return
    target, value = written.target, written.statement.value
    if not _TensorNames(site, context.tapes).is_tensor(value):
        return
    by_indices = is_written_by_index(context.finding)
    make_call = _index_put_call if by_indices else _scatter_call
    call = make_call(site, target, site.tree.code_of(value))
    if call:
        name = site.tree.code_of(target.value)
        content = f"{name} = {name}.{call}"
        edit = replace_node(site, written.statement, content)
        warnings = () if by_indices else (WARNING,)
        message = f"Write out of place: `{shorten_to_line(content)}`"
        yield Candidate(message, (edit,), rebind_at(site, target.value), warnings)


SCATTER_VALUE = Repair(frozenset({"IP101"}), scatter_value)


def _index_put_call(site: Site, target: cst.Subscript, value: str) -> str:
    indices = [part.slice.value for part in target.slice if isinstance(part.slice, cst.Index) and not part.slice.star]
    if len(indices) < len(target.slice) or not all(isinstance(index, (cst.Name, cst.Attribute)) for index in indices):
        return ""
    names = ", ".join(map(site.tree.code_of, indices))
    return f"index_put(({names}{',' * (len(indices) == 1)}), {value})"


def _scatter_call(site: Site, target: cst.Subscript, value: str) -> str:
    """Return the call if exactly one dimension is not taken whole, else ""."""
    chosen = _find_only_part(target)
    if chosen is None:
        return ""
    dim, item = chosen
    if isinstance(item, cst.Index) and Integers(site.tree, site.statement).is_integer(item.value):
        return f"select_scatter({value}, dim={dim}, index={site.tree.code_of(item)})"
    if isinstance(item, cst.Slice) and item.step is None:
        return f"slice_scatter({value}, {', '.join(_slice_arguments(site, item, dim))})"
    return ""


def _find_only_part(target: cst.Subscript) -> tuple[int, cst.BaseSlice] | None:
    """Return the only dimension that is not taken whole, counted from the end behind `...`, and its index."""
    items = [part.slice for part in target.slice]
    back = bool(items) and _is_ellipsis(items[0])
    items = items[1:] if back else items
    chosen = [at for at, element in enumerate(items) if not _is_whole(element)]
    if len(chosen) != 1 or any(_is_ellipsis(element) for element in items):
        return None
    return chosen[0] - (len(items) if back else 0), items[chosen[0]]


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
        self.names = {
            state.name for tape in tapes for event in tape.events for state in tensor_states(event) if state.name
        }
        for node in site.tree.nodes_within(site.tree.span_of(site.tree.scope_of(site.statement))):
            if isinstance(node, cst.Assign) and node is not site.statement and self.is_tensor(node.value):
                self.names |= {site.tree.code_of(target.target) for target in node.targets}

    def is_tensor(self, value: cst.BaseExpression) -> bool:
        """Return whether an expression computes with one of the names, or calls a function of torch."""
        if isinstance(value, cst.Call):
            return self._returns_tensor(value)
        if isinstance(value, cst.BinaryOperation):
            return self.is_tensor(value.left) or self.is_tensor(value.right)
        if isinstance(value, cst.UnaryOperation):
            return self.is_tensor(value.expression)
        if isinstance(value, cst.Subscript):
            return self.is_tensor(value.value)
        return self.site.tree.code_of(value) in self.names

    def _returns_tensor(self, call: cst.Call) -> bool:
        torch = self.site.torch.name if self.site.torch is not None else "torch"
        if self.site.tree.code_of(call.func).startswith(f"{torch}."):
            return True
        if not isinstance(call.func, cst.Attribute) or _returns_no_tensor(call.func):
            return False
        return self.is_tensor(call.func.value)


def _returns_no_tensor(method: cst.Attribute) -> bool:
    """Return whether a method returns no tensor: `x.item()`, `x.size(0)`."""
    return method.attr.value in {"item", "tolist", "size", "dim", "numel", "stride", "numpy"}
