"""Tell the user's own code from Python's library, installed packages and this program."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from types import FrameType

import torch

from inplace_lsp.worker.places import Places, locals_of

Place = tuple[str, int]
"""A file and a line; made into a span only when a person is to see it."""


_CELL = "<ipython-input-"
"""So IPython calls what was typed at its prompt; a cell of a notebook has the name of a file that there is not."""


class OwnCode(Places):
    """Finds the user's frames by where their files lie."""

    def __init__(self) -> None:
        super().__init__(frozenset())
        self._known: dict[str, bool] = {}
        self._third_party = tuple({os.path.join(os.path.realpath(folder), "") for folder in _installed_folders()})
        self._last_place: Place = ("?", 1)

    def is_own(self, frame: FrameType) -> bool:
        """Return whether `frame` runs the user's own code."""
        name = frame.f_code.co_filename
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._is_own_file(name)
        return known

    def current_place(self) -> Place:
        """Return the line that runs in the innermost user frame."""
        known = self._known
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            if known.get(frame.f_code.co_filename) or self.is_own(frame):
                self._last_place = frame.f_code.co_filename, frame.f_lineno
                break
            frame = frame.f_back
        return self._last_place

    def list_variables(self) -> dict[str, object]:
        """Return the variables of the user's running frames by their names; an inner one hides an outer one's."""
        found: dict[str, object] = {}
        for frame in reversed(self.own_frames()):
            found |= locals_of(frame)
        return found

    def _is_own_file(self, name: str) -> bool:
        if name.startswith("<"):
            return name.startswith(_CELL)
        return not os.path.realpath(name).startswith(self._third_party)


def _installed_folders() -> list[str]:
    """Return the folders of code that is not the user's."""
    paths = sysconfig.get_paths()
    ours = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    packages = [paths["purelib"], paths["platlib"], site.getusersitepackages(), *site.getsitepackages()]
    return [paths["stdlib"], paths["platstdlib"], *packages, os.path.dirname(torch.__file__), ours]
