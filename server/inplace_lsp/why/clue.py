"""A place in the program that torch's error may be about, and how torch would describe it."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.hazards.finding import Related, Severity
from inplace_lsp.tape.model import Span


@dataclass(frozen=True, slots=True)
class Clue:
    """A statement that may be to blame, with what torch's error would say if it were."""

    code: str
    """The hazard that it would be."""
    span: Span
    """The statement."""
    message: str
    function: str = ""
    related: tuple[Related, ...] = ()
    severity: Severity | None = None
    """The severity of the finding; None if `check` has none here."""
    doubt: str = ""
    """Why `check` has no finding here."""
    refused: str = ""
    """The code of the finding about the same write, if today's torch refuses it and an older release does not."""
    assumptions: tuple[str, ...] = ()
    nodes: frozenset[str] | None = None
    """The nodes (plain names) of which one made the tensor; None if that is not known."""
    bare: bool = False
    """Whether no node made it: it is a leaf."""
    made_by: str = ""
    """What made it, in words."""
    output: int | None = None
    """The number of the node's result that the tensor is."""
    shape: tuple[int | None, ...] | None = None
    turned: bool = False
    """Whether the op keeps it transposed, as `linear` does with its weight."""
    saver: str = ""
    """The op that saved it."""
    writes: int | None = None
    """Number of writes between save and backward that count; None if not all of the tensor's life is in sight."""
    expected: int | None = None
    """The saved version; None if not all of the tensor's life is in sight."""
    saved: Span | None = None
    backward: Span | None = None
    """None if it is not known, or a caller runs it."""
    call: Span | None = None
    """The call that leads to the write."""
    is_local: bool = False
    """Whether save and write stand in one function."""
