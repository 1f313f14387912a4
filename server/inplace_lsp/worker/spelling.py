"""How a program spells a write: as an operator, as an assignment to an index, or as a call."""

from __future__ import annotations

from inplace_lsp.tape.autograd import INDEXED

OPERATORS = {
    "__iadd__": "+=",
    "__isub__": "-=",
    "__imul__": "*=",
    "__itruediv__": "/=",
    "__ifloordiv__": "//=",
    "__imod__": "%=",
    "__ipow__": "**=",
    "__iand__": "&=",
    "__ior__": "|=",
    "__ixor__": "^=",
    "__ilshift__": "<<=",
    "__irshift__": ">>=",
}
"""The methods of tensors behind operators that write in place."""


def spelling_of(name: str) -> str:
    """Return the spelling of the write by a torch function of that name, "" if it is a call."""
    return INDEXED if name == "__setitem__" else OPERATORS.get(name, "")
