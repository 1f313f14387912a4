"""Find the checked files that may add findings to another file: those whose imports may lead to it.

The check of a file with a call also reports writes in the called file. A file that imports another contains the name of
its module, or imports a file that does; every file of a package runs that package. This overestimates: imports are not
resolved, only names are compared.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from inplace_lsp.facts.modules import module_name

_WORD = re.compile(r"\w+")


class Influence:
    """Which of the checked files may influence each other, by their texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._known: dict[str, frozenset[str]] = {}

    def find_sources(self, file: str) -> frozenset[str]:
        """Return the other files that may add findings to `file`."""
        if file not in self._known:
            found: set[str] = set()
            waiting = [file]
            while waiting:
                new = self._find_importers(waiting.pop()) - found
                found |= new
                waiting += new
            self._known[file] = frozenset(found - {file})
        return self._known[file]

    def _find_importers(self, file: str) -> set[str]:
        """Return the files that may import `file` themselves."""
        importers = set(self._files_by_name.get(module_name(file), ()))
        if os.path.basename(file) == "__init__.py":
            below = os.path.dirname(file) + os.sep
            importers.update(other for other in self._texts if other.startswith(below))
        return importers

    @cached_property
    def _files_by_name(self) -> Mapping[str, Iterable[str]]:
        """The files by the module names that their text mentions."""
        names = set(map(module_name, self._texts))
        found: dict[str, list[str]] = {}
        for file, text in self._texts.items():
            for name in names.intersection(_WORD.findall(text)):
                found.setdefault(name, []).append(file)
        return found
