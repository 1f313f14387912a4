"""Ops that save a copy of an operand which does not lie in memory as they need it: a write to it is harmless then.

Products of more than two dimensions are matrix products of reshaped operands; a reshape that cannot be a view copies.
Norms over groups make their input contiguous. A convolution that pads one side more than the other pads its input
first. Sources: `should_fold` and `_matmul_impl` in ATen/native/LinearAlgebra.cpp, `linear` in ATen/native/Linear.cpp,
ATen/native/group_norm.cpp, `instance_norm` in ATen/native/Normalization.cpp and `_convolution_same` in
ATen/native/Convolution.cpp.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from inplace_lsp.interpret.state.layout import (
    Layout,
    broadcast_shapes,
    expand_layout,
    join_rows,
    reshape_layout,
    swap_dimensions,
)
from inplace_lsp.interpret.state.values import Items, Known, Tensor, Value

_CONVOLUTIONS = frozenset({"conv1d", "conv2d", "conv3d"})


def keeps_copy(op: str, role: str, tensors: Mapping[str, Sequence[Tensor]], bound: Mapping[str, Value]) -> bool:
    """Return whether `op` certainly saves a copy of its operand `role`."""
    if op in _CONVOLUTIONS:
        return role == "input" and _pads_sides_apart(_find_layout(tensors, "weight"), bound)
    if op == "linear":
        return role == "input" and any(map(_is_input_copied, tensors.get("input", ())))
    if op in ("group_norm", "instance_norm"):
        return role == "input" and any(_is_normed_by_copy(op, tensor) for tensor in tensors.get("input", ()))
    return op == "matmul" and _is_factor_copied(role, tensors)


def _is_factor_copied(role: str, tensors: Mapping[str, Sequence[Tensor]]) -> bool:
    """Return whether a product of matrices saves a copy of one of its factors."""
    first, second = _find_layout(tensors, "self", "input"), _find_layout(tensors, "other")
    if first is None or second is None:
        return False
    own, other = (second, first) if role == "other" else (first, second)
    return _is_copied_beside(own, other, turned=own is second)


def _pads_sides_apart(weight: Layout | None, bound: Mapping[str, Value]) -> bool:
    """Return whether `padding="same"` adds an odd number of elements in a direction: a kernel of even size does."""
    padding, dilation = bound.get("padding"), bound.get("dilation", Known(1))
    if weight is None or not isinstance(padding, Known) or padding.value != "same":
        return False
    kernel = weight.shape[2:]
    steps = dilation.items if isinstance(dilation, Items) else [dilation] * len(kernel)
    return any(
        isinstance(step, Known) and isinstance(step.value, int) and step.value * (size - 1) % 2
        for size, step in zip(kernel, steps, strict=False)
    )


def _is_input_copied(tensor: Tensor) -> bool:
    return tensor.rows_apart or _is_folded_by_copy(tensor.layout)


def _is_normed_by_copy(op: str, tensor: Tensor) -> bool:
    """Return whether the norm makes its input contiguous by a copy; a group norm also takes channels that come last."""
    layout = tensor.layout
    if layout is None:
        return op == "instance_norm" and tensor.rows_apart
    return not layout.is_contiguous and not (op == "group_norm" and layout.is_channels_last)


def _is_copied_beside(own: Layout, other: Layout, *, turned: bool) -> bool:
    """Return whether the matrix product with `other` folds an operand by a copy; the second is folded `turned`."""
    if not (_is_matrix(own, other) or _is_matrix(other, own)):
        return _is_batched_by_copy(own, other)
    if len(own.shape) < 3 or not _is_matrix(other, own):  # the matrix is taken as it is
        return False
    return _is_folded_by_copy(swap_dimensions(own, -1, -2) if turned else own)


def _find_layout(tensors: Mapping[str, Sequence[Tensor]], *names: str) -> Layout | None:
    return next((tensor.layout for name in names for tensor in tensors.get(name, ())), None)


def _is_matrix(of: Layout, beside: Layout) -> bool:
    """Return whether the operand is treated as a matrix (or a vector), as a batch of one is beside another batch."""
    return len(of.shape) < 3 or (len(of.shape) == len(beside.shape) == 3 and of.shape[0] == 1)


def _is_folded_by_copy(of: Layout | None) -> bool:
    """Return whether folding all dimensions but the last takes a copy."""
    return of is not None and len(of.shape) > 2 and join_rows(of) is None


def _is_batched_by_copy(own: Layout, other: Layout) -> bool:
    """Return whether folding the broadcast batch dimensions takes a copy."""
    batch = broadcast_shapes([own.shape[:-2], other.shape[:-2]])
    wide = expand_layout(own, (*batch, *own.shape[-2:])) if batch is not None else None
    return batch is not None and wide is not None and reshape_layout(wide, (prod(batch), *own.shape[-2:])) is None
