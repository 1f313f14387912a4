"""Judge what the user's functions return: check a graph that the program never walks as a caller could walk it."""

from __future__ import annotations

import sys
from types import FrameType, TracebackType

from inplace_lsp.tape.model import Event
from inplace_lsp.worker.heap import is_leaf
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.places import span_of
from inplace_lsp.worker.recording import Recording, tensors_in
from inplace_lsp.worker.walks import Walks

_ANONYMOUS = ("<module>", "<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>")
_LIMIT = 500
"""Maximum number of returns that are examined: a long training loop repeats itself."""


class Returns:
    """A profile function that looks at every return of the user's code."""

    def __init__(self, recording: Recording, walks: Walks) -> None:
        self._recording = recording
        self._walks = walks
        self._seen = 0
        self._before: object = None

    def __enter__(self) -> None:
        self._before = sys.getprofile()
        sys.setprofile(self._on_event)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.setprofile(self._before if callable(self._before) else None)

    def _on_event(self, frame: FrameType, event: str, value: object) -> None:
        if event != "return" or value is None or not self._recording.places.is_own(frame):
            return
        if frame.f_code.co_name in _ANONYMOUS or self._seen >= _LIMIT:
            return
        with modes_off():
            for tensor in tensors_in(value):
                if tensor.requires_grad and not is_leaf(tensor):
                    self._note_return(frame, tensor)

    def _note_return(self, frame: FrameType, tensor: object) -> None:
        """Note what a backward would find now; it counts if the program itself never walks there."""
        self._seen += 1
        self._recording.settle_log()
        try:
            roots, events = self._walks.assume_walk([tensor], span_of(frame))
        except RuntimeError:  # the history of a stale view is not known
            return

        def events_unless_walked() -> list[Event]:
            return [] if self._walks.graph.executed.intersection(roots) else events

        self._recording.log.add_later(events_unless_walked)
