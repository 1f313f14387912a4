"""Why an op needs what it saved, in one sentence of math. The sentences about single ops stand in the op table."""

from __future__ import annotations

from functools import lru_cache

from inplace_lsp.torch_ops import table

_PLACES = ("", "torch.", "torch.Tensor.", "torch.nn.functional.", "torch.special.", "torch.linalg.")


def reason(op: str, role: str) -> str:
    """Why the backward of `op` needs its argument or result `role`."""
    return _derivative(op) or _general(op, role)


def _general(op: str, role: str) -> str:
    kept = "its own result" if role.startswith(("result", "output")) else "the value that went in"
    return f"the backward of `{op}` computes with {kept}"


@lru_cache(maxsize=1024)
def _derivative(op: str) -> str:
    """The sentence of the op table, "" where it knows none or there is no table."""
    names = (place + op for place in _PLACES)
    try:
        return next((one.derivative for name in names for one in table.find(name) if one.derivative), "")
    except (NotImplementedError, OSError):
        return ""
