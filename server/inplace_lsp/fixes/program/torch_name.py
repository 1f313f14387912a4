"""Find the name of torch in a file, or the import that would add one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.source.units import normalise_text

_IMPORT = re.compile(
    r"^[ \t]*import[ \t]+(?:\w+(?:[ \t]+as[ \t]+\w+)?[ \t]*,[ \t]*)*torch(?:[ \t]+as[ \t]+(?P<name>\w+))?"
    r"[ \t]*(?:$|[,;#\r\n])",
    re.MULTILINE,
)
_STAR = re.compile(r"^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]+\*", re.MULTILINE)
_USED = re.compile(r"(?<![\w.])torch\.\w")
_FIRST = re.compile(r"^(?:from[ \t]+torch\b|import[ \t]+torch\.)", re.MULTILINE)
_TAKEN = re.compile(
    r"^[ \t]*(?:torch\b[^\n=.(]*=[^=]|def torch\b|class torch\b|from .* import .*\btorch\b)", re.MULTILINE
)


@dataclass(frozen=True)
class TorchName:
    """A `name` that means torch once `edits` are applied."""

    name: str
    edits: tuple[Edit, ...] = ()


def find_torch_name(text: str, file: str) -> TorchName | None:
    """Return the name of torch; None if its import is not understood or `torch` means something else."""
    text = normalise_text(text)
    known = _IMPORT.search(text)
    if known is not None:
        return TorchName(known["name"] or "torch")
    if _TAKEN.search(text) is not None:
        return None
    first = _FIRST.search(text)
    if first is None:
        return TorchName("torch") if _STAR.search(text) is not None and _USED.search(text) is not None else None
    row = text.count("\n", 0, first.start()) + 1
    return TorchName("torch", (insert_at(file, row, 0, "import torch\n"),))
