"""Which of the files that are checked may add to what is found in another: those whose imports may lead there.

A write in one file is found in the check of another that calls it. What is asked of a module's name stands in the text
that imports it, so a file that may lead to another names it, or names one that does; and every file of a package runs
that package. That is more than what really happens: nobody is asked where an import leads.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from inplace_lsp.facts.modules import module_name

_WORD = re.compile(r"\w+")


class Influence:
    """The files that are checked, with their texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._known: dict[str, frozenset[str]] = {}

    def find_sources(self, file: str) -> frozenset[str]:
        """Return the other files that may add to what is found in `file`."""
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
        importers = set(self._naming.get(module_name(file), ()))
        if os.path.basename(file) == "__init__.py":
            below = os.path.dirname(file) + os.sep
            importers.update(other for other in self._texts if other.startswith(below))
        return importers

    @cached_property
    def _naming(self) -> Mapping[str, Iterable[str]]:
        """The files by the module names that their text mentions."""
        names = set(map(module_name, self._texts))
        found: dict[str, list[str]] = {}
        for file, text in self._texts.items():
            for name in names.intersection(_WORD.findall(text)):
                found.setdefault(name, []).append(file)
        return found
