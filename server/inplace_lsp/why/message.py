"""The content of torch's error as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.hazards.hazard import ERROR_KINDS, ErrorKind
from inplace_lsp.hazards.registry import HAZARDS

CODES: dict[ErrorKind, tuple[str, ...]] = {
    kind: tuple(
        hazard.code
        for hazard in sorted(HAZARDS, key=lambda hazard: (*hazard.error_kinds, kind).index(kind))
        if kind in hazard.error_kinds
    )
    for kind in ERROR_KINDS
}
"""The hazards that end in an error of each kind, those first that mostly do."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A line of a traceback: `source` is its text, "" where the traceback does not show it.

    `is_resolved`: `file` is the very file of the project, not only what the traceback calls it.
    """

    file: str
    row: int
    function: str = ""
    source: str = ""
    is_resolved: bool = False


@dataclass(frozen=True, slots=True)
class TorchError:
    """One error of torch's, as far as the text tells.

    `op` is the node that torch names, `output` the number of that node's result, `tensor_type` such as
    `torch.cuda.FloatTensor`; `found` and `expected` are versions. `failing` is the node whose backward failed, which
    only anomaly mode tells. `frames` are the lines of the traceback that led to the error, outermost first, `forward`
    those of the call that made the failing node. `times`: how often the text has it (once a rank, mostly).
    `of_base`: what torch refuses is the use of a view after its memory was written; a backward that needs it will do.
    `of_vmap`: `torch.vmap` refuses the write.
    """

    kind: ErrorKind
    codes: tuple[str, ...]
    op: str | None = None
    output: int | None = None
    shape: tuple[int, ...] | None = None
    tensor_type: str = ""
    found: int | None = None
    expected: int | None = None
    failing: str = ""
    frames: tuple[Frame, ...] = ()
    forward: tuple[Frame, ...] = ()
    times: int = 1
    of_base: bool = False
    of_vmap: bool = False
