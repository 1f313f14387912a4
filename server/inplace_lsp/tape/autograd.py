"""The rules of autograd about a write, as a pure function of the facts on the tape.

Source: `check_inplace` in torch/csrc/autograd/VariableTypeUtils.h, `VariableVersion::bump` in c10/core/TensorImpl.h and
`assert_no_internal_overlap`, `assert_no_partial_overlap` in ATen/MemoryOverlap.h; each rule is held against a run of
torch in tests/worker/test_rejections.py.
"""

from __future__ import annotations

from enum import Enum

from inplace_lsp.tape.model import ALWAYS, Refusal, Save, ViewKind, When, Write


class Rejection(Enum):
    """The reasons why torch refuses a write at the call, in torch's order."""

    MULTI_OUTPUT_VIEW = "output of a function that returns several views"
    NO_GRAD_VIEW = "view made under no_grad or inference mode, written with grad mode on"
    CUSTOM_VIEW = "input that a custom Function returned as it is"
    LEAF_VIEW = "view of a leaf that requires grad"
    LEAF = "leaf that requires grad"
    OVERLAP = "several elements share one memory location, or an input overlaps the written memory in part"
    INFERENCE = "inference tensor written outside inference mode"
    DETACHED_VIEW = "view detached in place, whose base keeps the graph"


DETACH = "detach_"
"""The write that only takes a tensor out of its graph."""

TURNING = frozenset({"t_", "transpose_", "swapaxes_", "swapdims_", "squeeze_", "unsqueeze_"})
"""Writes that only reorder or renumber the dimensions of the tensor object; its memory stays as it is."""

OVERLAP_TOLERANT = TURNING | {
    *("fill_", "zero_", "masked_fill_", "index_fill_", "fill_diagonal_", "index_put_", "tril_", "triu_"),
    *("resize_", "set_", "as_strided_", DETACH),
}
"""Writes that torch performs on overlapping memory too: all elements get one value, or only the geometry changes."""

NO_SHARED_OPERAND = frozenset(
    {"index_add_", "index_copy_", "index_put_", "index_reduce_", "put_", "scatter_", "scatter_add_", "scatter_reduce_"}
)
"""Writes that forbid any memory shared between operand and written tensor, even all of it (`assert_no_overlap`)."""

OPERAND_TOLERANT = (OVERLAP_TOLERANT - NO_SHARED_OPERAND) | {"masked_scatter_", "addmm_", "addmv_", "baddbmm_", "map_"}
"""Writes whose operands may overlap the written memory in part."""

_GRADIENT_RULES = {
    ViewKind.MULTI_OUTPUT: Rejection.MULTI_OUTPUT_VIEW,
    ViewKind.NO_GRAD: Rejection.NO_GRAD_VIEW,
    ViewKind.INFERENCE: Rejection.NO_GRAD_VIEW,
    ViewKind.CUSTOM: Rejection.CUSTOM_VIEW,
}


STALE = {
    ViewKind.MULTI_OUTPUT: Refusal.STALE_MULTI_VIEW,
    ViewKind.CUSTOM: Refusal.STALE_CUSTOM_VIEW,
    ViewKind.NO_GRAD: Refusal.STALE_NO_GRAD_VIEW,
    ViewKind.INFERENCE: Refusal.STALE_NO_GRAD_VIEW,
}
"""Why torch refuses to use a view of each kind after a write to its base."""

KEPT_ON_CTX = "ctx."
"""First part of the role of a save that a custom Function makes by `ctx.x = x`: no backward checks its version."""

DATA = ".data"
"""A Write's `alias` and a View's `op` for access that bypasses the version counter."""

ON_CPU = ".cpu().numpy()"
"""The same for access that shares memory only with a tensor on the CPU."""

AS_MADE = "as made"
"""The role of a save that keeps nothing: it marks the value that a node computed, because the next statement writes
that value through `.data` and the gradient will still be that of the old value."""

SHARED_GRADIENT = "shared gradient"
"""The role of a save that stands for a gradient: a backward gives the gradient of the op's result, in one memory, to
several of its inputs, and a hook on one of them may write it."""

SHARED_IF_SHAPES_AGREE = f"{SHARED_GRADIENT} if the shapes agree"
"""The same where the shapes of the inputs are not known: what the op repeats gets a gradient of its own."""

INDEXED = "[]="
"""A Write's `spelling` for an assignment to an index (`x[0] = 1`)."""

PRIVATE = "private"
"""The role of a save that no other code can write: a mask, a copy."""

MASKING = -1e4
"""Largest number that counts as a mask when it is written to scores: the softmax after it makes the gradient zero."""


def is_checked(save: Save) -> bool:
    """Return whether a backward checks the version of the saved tensor."""
    return not is_on_ctx(save) and not is_as_made(save)


def is_on_ctx(save: Save) -> bool:
    """Return whether a custom Function keeps the tensor on `ctx`, where autograd does not see it."""
    return save.role.startswith(KEPT_ON_CTX)


def is_as_made(save: Save) -> bool:
    """Return whether the event saves nothing and only marks that a backward passes the node."""
    return save.role == AS_MADE


def is_shared_gradient(save: Save) -> bool:
    """Return whether the event stands for a gradient that a backward gives to several inputs of the op."""
    return save.role in (SHARED_GRADIENT, SHARED_IF_SHAPES_AGREE)


def keeps_nothing(save: Save) -> bool:
    """Return whether the op holds no tensor because of the event."""
    return is_as_made(save) or is_shared_gradient(save)


def is_masking(value: object) -> bool:
    """Return whether `value` is a number that serves as a mask where it is written."""
    return isinstance(value, (int, float)) and value <= MASKING


def find_rejection(write: Write) -> tuple[Rejection, When] | None:
    """Return why torch refuses `write` and under which condition; None if it accepts it.

    A write that bypasses the version counter is never refused: torch does not see it. `detach_`, which writes no
    values, is refused on every view, also without any gradient (torch/csrc/autograd/VariableTypeManual.cpp).
    """
    if write.op == DETACH:
        outside = not (write.inference_mode or write.tensor.inference)
        return (Rejection.DETACHED_VIEW, ALWAYS) if write.tensor.base is not None and outside else None
    silent = write.version_after == write.tensor.version and write.refused is None
    if write.refused is False or silent:
        return None
    if write.grad_mode and write.needs_grad and (found := _find_gradient_rejection(write)):
        return found
    overlapping = write.tensor.overlapping and write.op not in OVERLAP_TOLERANT
    if overlapping or (write.partial_overlap and write.op not in OPERAND_TOLERANT):
        return Rejection.OVERLAP, ALWAYS
    if write.tensor.inference and not write.inference_mode:
        return Rejection.INFERENCE, ALWAYS
    return None


def _find_gradient_rejection(write: Write) -> tuple[Rejection, When] | None:
    """Apply the rules that hold only while a gradient is recorded: special views first, then leaves."""
    tensor = write.tensor
    if tensor.base is not None:
        if rule := _GRADIENT_RULES.get(tensor.view):
            return rule, write.needs_grad
        if tensor.base_leaf and tensor.requires_grad:
            return Rejection.LEAF_VIEW, tensor.requires_grad
    if tensor.leaf and tensor.requires_grad:
        return Rejection.LEAF, tensor.requires_grad
    return None
