"""How a program spells a write: as an operator, as an assignment to an index, or as a call."""

from __future__ import annotations

from inplace_lsp.tape.autograd import INDEXED
from inplace_lsp.tape.model import Span
from inplace_lsp.worker.operators import BY_METHOD, BY_REPORT
from inplace_lsp.worker.places import has_operator


def spelling_of(name: str, statement: Span | None = None) -> str:
    """Return the spelling of the write by a torch function of that name, in a statement if that is known; "" if it is a
    call."""
    if name == "__setitem__":
        return INDEXED
    operator = BY_REPORT.get(name, "")
    if operator and statement is not None and has_operator(statement, operator):
        return operator
    return BY_METHOD.get(name, "")
