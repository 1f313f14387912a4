"""In-place activations keep their result and read the sign of the input off it, which a negative slope takes away.

torch refuses the backward then. Sources: `leaky_relu_backward` and `elu_backward` in ATen/native/Activation.cpp.
"""

from __future__ import annotations

from collections.abc import Mapping

from inplace_lsp.interpret.state.values import Known, Value
from inplace_lsp.torch_ops.model import Overload

_SLOPES = {"leaky_relu": "negative_slope", "elu": "alpha", "celu": "alpha"}
"""The parameter that scales what is below zero."""


def is_input_lost(overload: Overload, op: str, bound: Mapping[str, Value]) -> bool:
    """Return whether `op` writes in place what only its input could tell the backward."""
    slope = bound.get(_SLOPES.get(op.rstrip("_"), ""))
    known = slope.value if isinstance(slope, Known) else None
    return bool(overload.writes) and isinstance(known, (int, float)) and known < 0
