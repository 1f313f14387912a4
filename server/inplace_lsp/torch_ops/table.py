"""Look-ups in the op table: the only door to the shipped data."""

from __future__ import annotations

from inplace_lsp.torch_ops.model import ModuleOp, Overload


def find(name: str) -> tuple[Overload, ...]:
    """The overloads of a public callable: `torch.exp`, `torch.Tensor.add_`, `torch.nn.functional.relu`, ...; () if unknown."""
    raise NotImplementedError


def find_module(name: str) -> ModuleOp | None:
    """The module class of that public name (`torch.nn.ReLU`), None if unknown."""
    raise NotImplementedError


def torch_version() -> str:
    """The torch release the table was generated from."""
    raise NotImplementedError
