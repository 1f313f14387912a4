"""What the parts of the recorder of a script need of its `Watch`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from inplace_lsp.tape.model import Tape
from inplace_lsp.worker.graph import Roots
from inplace_lsp.worker.script.notes import LiveSave, LiveSaves
from inplace_lsp.worker.script.own_code import Place
from inplace_lsp.worker.script.second_walk import FreedSaves

if TYPE_CHECKING:
    from torch.autograd.graph import Node


class Meter(Protocol):
    """Measures what the graphs keep."""

    def note_walk(self, watch: Watched, roots: Roots) -> None:
        """Measure what is kept at the start of a backward from `roots`."""


class Watched(Protocol):
    """A script that is watched; as a context manager, its calls of torch."""

    freed: FreedSaves
    living: LiveSaves
    inner: dict[Node, list[LiveSave]]
    scripted: dict[Place, int]
    on_unpack: Callable[[LiveSave], None] | None
    meter: Meter | None
    reading: bool

    def __enter__(self) -> object:
        """Watch the calls of torch from now on."""

    def __exit__(self, *error: object) -> bool | None:
        """Stop watching."""

    def current_place(self) -> Place:
        """Return the user's line that runs now."""

    def report_tape(self, tape: Tape, error: BaseException) -> None:
        """Attach the tape to an in-place error that is about to be raised, and report it."""
