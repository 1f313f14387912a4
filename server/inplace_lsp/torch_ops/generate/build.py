"""Puts the table together: torch's own tables first, observation where an op is composed of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inplace_lsp.torch_ops.generate.names import spread
from inplace_lsp.torch_ops.generate.public import Native, native_overloads
from inplace_lsp.torch_ops.model import ModuleOp, Overload


def build_ops() -> dict[str, Sequence[Overload]]:
    """Every public callable with its overloads."""
    natives = native_overloads()
    return spread({name: [_unobserved(each) for each in overloads] for name, overloads in natives.items()})


def build_modules() -> dict[str, ModuleOp]:
    """Every module class of `torch.nn`."""
    return {}


def _unobserved(native: Native) -> Overload:
    """A composed op that nothing is known of but its signature: a gradient may flow through every tensor."""
    if not native.composite or "out" in native.overload.writes:
        return native.overload
    tensors = frozenset(p.name for p in native.overload.params if p.type.startswith("Tensor"))
    return replace(native.overload, differentiable=tensors)
