"""A place in the program that torch's error may be about, and how torch would describe it."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.hazards.finding import Related, Severity
from inplace_lsp.tape.model import Span


@dataclass(frozen=True, slots=True)
class Clue:
    """`span` is the statement to blame; `code` the hazard it would be.

    What torch's error would name: `nodes`, one of which made the tensor (plain names; None: not known), or no node at
    all (`bare`: a leaf); `output`; `shape`, with `turned` if the node turns it round (`linear` keeps its weight so);
    `made_by` says in words what made it. `saver` is the op that
    saved it, `writes` how many writes count between save and backward, `expected` the version that was saved, if all of
    the tensor's life is in sight.

    `saved`, `backward`: where; None for what is not known, or for the backward of some caller. `call`: the call through
    which the write is reached. `is_local`: save and write stand in one function. `severity` is that of the finding,
    None where there is none: `doubt` says why not, `refused` is the code of that about the same write where the torch
    of today refuses it, and an older one does not.
    """

    code: str
    span: Span
    message: str
    function: str = ""
    related: tuple[Related, ...] = ()
    severity: Severity | None = None
    doubt: str = ""
    refused: str = ""
    assumptions: tuple[str, ...] = ()
    nodes: frozenset[str] | None = None
    bare: bool = False
    made_by: str = ""
    output: int | None = None
    shape: tuple[int | None, ...] | None = None
    turned: bool = False
    saver: str = ""
    writes: int | None = None
    expected: int | None = None
    saved: Span | None = None
    backward: Span | None = None
    call: Span | None = None
    is_local: bool = False
