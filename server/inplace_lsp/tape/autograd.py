"""autograd's own rules about a write, as a pure function of the facts on the tape.

Source: `check_inplace` in torch/csrc/autograd/VariableTypeUtils.h and `assert_no_internal_overlap` in ATen/MemoryOverlap.h.
"""

from __future__ import annotations

from enum import Enum

from inplace_lsp.tape.model import ALWAYS, ViewKind, When, Write


class Rejection(Enum):
    """Why torch refuses a write on the spot, in the order in which torch looks."""

    INFERENCE = "inference tensor written outside inference mode"
    MULTI_OUTPUT_VIEW = "output of a function that returns several views"
    NO_GRAD_VIEW = "view made under no_grad, written with grad mode on"
    LEAF_VIEW = "view of a leaf that requires grad"
    LEAF = "leaf that requires grad"
    OVERLAP = "several elements share one memory location"


def rejection(write: Write) -> tuple[Rejection, When] | None:
    """Why torch refuses `write` and under which assumption, or None if it accepts it. Silent writes are never refused."""
    tensor = write.tensor
    if tensor.inference and not write.inference_mode and write.needs_grad:
        return Rejection.INFERENCE, ALWAYS
    if write.grad_mode and write.needs_grad:
        if tensor.base is not None:
            if tensor.view is ViewKind.MULTI_OUTPUT:
                return Rejection.MULTI_OUTPUT_VIEW, write.needs_grad
            if tensor.view is ViewKind.NO_GRAD:
                return Rejection.NO_GRAD_VIEW, write.needs_grad
            if tensor.base_leaf and tensor.requires_grad:
                return Rejection.LEAF_VIEW, tensor.requires_grad
        if tensor.leaf and tensor.requires_grad:
            return Rejection.LEAF, tensor.requires_grad
    if tensor.overlapping:
        return Rejection.OVERLAP, ALWAYS
    return None


