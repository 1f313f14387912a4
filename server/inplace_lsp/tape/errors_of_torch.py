"""What torch says about the hazards, by which they differ from other errors."""

from __future__ import annotations

MESSAGES = (
    "modified by an inplace operation",
    "leaf Variable that requires grad",
    "backward through the graph a second time",
    "is a view and is being modified inplace",
    "is a view and its base or another view of its base has been modified inplace",
    "being modified inplace with grad mode enabled",
    "more than one element of the written-to tensor",
    "input tensor and the written-to tensor",
    "Inplace update to inference tensor",
    "Inference tensors cannot be saved for backward",
    "don't support automatic differentiation",
    "does not require grad and does not have a grad_fn after being detached",
    "saved tensor that has been detached in-place",
    "Can't detach views in-place",
    "derivative for 'inplace version of",
    "calling in-place forward function with a negative slope",
)
"""Parts of torch's own messages about the hazards, from 2.1 on."""
