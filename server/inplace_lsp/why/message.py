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
"""The hazards that end in an error of each kind, the most frequent first."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A line of a traceback."""

    file: str
    row: int
    function: str = ""
    source: str = ""
    """The text of the line, "" if the traceback does not show it."""
    is_resolved: bool = False
    """Whether `file` is a file of the project; otherwise it is the path in the traceback."""


@dataclass(frozen=True, slots=True)
class TorchError:
    """One error of torch, as far as the text shows it."""

    kind: ErrorKind
    codes: tuple[str, ...]
    """The hazards that end in such an error."""
    op: str | None = None
    """The node that torch names."""
    output: int | None = None
    """The number of that node's result."""
    shape: tuple[int, ...] | None = None
    tensor_type: str = ""
    """As torch prints it: `torch.cuda.FloatTensor`."""
    found: int | None = None
    """The version that the backward found."""
    expected: int | None = None
    """The version that was saved."""
    failing: str = ""
    """The node whose backward failed; only anomaly mode names it."""
    frames: tuple[Frame, ...] = ()
    """The traceback of the error, outermost first."""
    forward: tuple[Frame, ...] = ()
    """The traceback of the call that made the failing node."""
    times: int = 1
    """How often the error is in the text: mostly once for each rank."""
    of_base: bool = False
    """Whether torch refuses to use a view after its base was written. A backward that needs the view is such a use."""
    of_vmap: bool = False
    """Whether `torch.vmap` refuses the write."""
