"""The reason why an op needs what it saved, in one sentence of math. The sentences about single ops are in the op
table."""

from __future__ import annotations

from functools import lru_cache

from inplace_lsp.torch_ops import table

_PLACES = ("", "torch.", "torch.Tensor.", "torch.nn.functional.", "torch.special.", "torch.linalg.")


def find_reason_for_save(op: str, role: str) -> str:
    """Return why the backward of `op` needs its argument or result `role`."""
    return _find_derivative_sentence(op) or _find_general_reason(op, role)


def _find_general_reason(op: str, role: str) -> str:
    kept = "its own result" if role.startswith(("result", "output")) else "this value"
    return f"the backward of `{op}` uses {kept}"


@lru_cache(maxsize=1024)
def _find_derivative_sentence(op: str) -> str:
    """Return the sentence of the op table, "" if it has none or there is no table."""
    names = (place + op for place in _PLACES)
    try:
        return next(
            (overload.derivative for name in names for overload in table.find_overloads(name) if overload.derivative),
            "",
        )
    except (NotImplementedError, OSError):
        return ""
