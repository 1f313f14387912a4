"""How a program spells a write: as an operator, as an assignment to an index, or as a call."""

from __future__ import annotations

from inplace_lsp.tape.autograd import INDEXED
from inplace_lsp.tape.model import Span
from inplace_lsp.worker.places import find_operator

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


_BY_WRITE = {
    "add_": "+=", "sub_": "-=", "mul_": "*=", "div_": "/=", "true_divide_": "/=", "floor_divide_": "//=",
    "remainder_": "%=", "pow_": "**=", "__iand__": "&=", "__ior__": "|=", "__ixor__": "^=",
}  # fmt: skip
"""As torch calls the methods behind operators when it tells of them: the same as what a call is called."""


def spelling_of(name: str, statement: Span | None = None) -> str:
    """Return the spelling of the write by a torch function of that name, in a statement if that is known; "" if it is a
    call."""
    if name == "__setitem__":
        return INDEXED
    operator = _BY_WRITE.get(name, "")
    if operator and statement is not None and find_operator(statement) == operator:
        return operator
    return OPERATORS.get(name, "")
