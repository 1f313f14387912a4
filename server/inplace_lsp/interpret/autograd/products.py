"""Products of more than two dimensions: they are products of matrices, of operands reshaped for it.

A reshape that cannot be a view copies: what is kept then is the copy, and a write to the operand is harmless.
Sources: `should_fold` and `_matmul_impl` in ATen/native/LinearAlgebra.cpp, `linear` in ATen/native/Linear.cpp.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from inplace_lsp.interpret.state.layout import Layout, broadcast, expanded, reshaped, swapped
from inplace_lsp.interpret.state.values import Tensor


def keeps_copy(op: str, role: str, tensors: Mapping[str, Sequence[Tensor]]) -> bool:
    """Whether `op` surely keeps a copy of its operand `role`."""
    if op == "linear":
        return role == "input" and _is_folded_by_copy(_layout(tensors, "input"))
    if op != "matmul":
        return False
    first, second = _layout(tensors, "self", "input"), _layout(tensors, "other")
    if first is None or second is None:
        return False
    own, other = (second, first) if role == "other" else (first, second)
    if not (_is_matrix(own, other) or _is_matrix(other, own)):
        return _is_batched_by_copy(own, other)
    if len(own.shape) < 3 or not _is_matrix(other, own):  # the matrix is taken as it is
        return False
    return _is_folded_by_copy(swapped(own, -1, -2) if own is second else own)


def _layout(tensors: Mapping[str, Sequence[Tensor]], *names: str) -> Layout | None:
    return next((one.layout for name in names for one in tensors.get(name, ())), None)


def _is_matrix(of: Layout, beside: Layout) -> bool:
    """Whether it is taken for a matrix (or a vector), as a batch of one is beside another batch."""
    return len(of.shape) < 3 or (len(of.shape) == len(beside.shape) == 3 and of.shape[0] == 1)


def _is_folded_by_copy(of: Layout | None) -> bool:
    """Whether all dimensions but the last cannot be made one without a copy."""
    return of is not None and len(of.shape) > 2 and reshaped(of, (-1, of.shape[-1])) is None


def _is_batched_by_copy(own: Layout, other: Layout) -> bool:
    """Whether the dimensions before the last two, as the other operand widens them, cannot be made one."""
    batch = broadcast([own.shape[:-2], other.shape[:-2]])
    wide = expanded(own, (*batch, *own.shape[-2:])) if batch is not None else None
    return batch is not None and wide is not None and reshaped(wide, (prod(batch), *own.shape[-2:])) is None
