"""The text of imported modules: from the editor where the file is open there, else from the disk."""

from __future__ import annotations

import io
import os
import tokenize
from collections.abc import Mapping
from pathlib import PurePath

from inplace_lsp.disk import check_fit, read_bytes
from inplace_lsp.facts.known import KNOWN
from inplace_lsp.facts.search import candidates
from inplace_lsp.interpret.state.facts import Kind, Models, ModuleQuestion, ModuleText, ParameterQuestion


def module_name(filename: str) -> str:
    """The last part of the name by which a file is imported."""
    path = PurePath(filename)
    return path.parent.name if path.stem == "__init__" else path.stem


class Disk:
    """Source files as they were last read; read again when they changed."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[tuple[int, int], ModuleText | None]] = {}

    def module(self, path: str, own: bool) -> ModuleText | None:
        """The source in `path`; None if there is none that can be read."""
        try:
            status = os.stat(path)
            check_fit(status)
        except (OSError, ValueError):
            return None
        stamp = (status.st_mtime_ns, status.st_size)
        known = self._read.get(path)
        if known is None or known[0] != stamp:
            known = self._read[path] = (stamp, _read(path, own))
        return known[1]


def _read(path: str, own: bool) -> ModuleText | None:
    try:
        data = io.BytesIO(read_bytes(path))
        encoding, _ = tokenize.detect_encoding(data.readline)
        data.seek(0)
        return ModuleText(path, io.TextIOWrapper(data, encoding).read(), own)
    except (OSError, SyntaxError, ValueError, LookupError):
        return None


_DISK = Disk()


class Modules:
    """Facts for one analysis: each question is answered once, by the state of the files at that time."""

    def __init__(self, opened: Mapping[str, str] | None = None, disk: Disk = _DISK, models: Models = ()) -> None:
        """`opened` are the texts of files by name that are newer than the disk's; `models` those of the project."""
        self._opened = opened or {}
        self._models = models
        self._disk = disk
        self._answers: dict[ModuleQuestion, ModuleText | None] = {}
        self._added: dict[str, tuple[str, ...]] = {}

    def module(self, question: ModuleQuestion) -> ModuleText | None:
        """The source of a module, None if it cannot be found."""
        if question not in self._answers:
            self._answers[question] = self._find(question)
        return self._answers[question]

    def parameter(self, question: ParameterQuestion) -> Kind | None:
        """What was inferred of a parameter, if anyone did so."""
        return KNOWN.get(question)

    def models(self) -> Models:
        """The models that the project brings itself."""
        return self._models

    @property
    def read(self) -> frozenset[str]:
        """The files in which modules were found."""
        return frozenset(one.filename for one in self._answers.values() if one is not None)

    @property
    def asked(self) -> frozenset[str]:
        """All parts of the names of the modules that were looked for: a file of such a name may change an answer."""
        return frozenset(part for question in self._answers for part in question.name.split(".") if part)

    def _find(self, question: ModuleQuestion) -> ModuleText | None:
        if not os.path.isabs(question.importer):
            return None
        added = () if question.level else self._find_added_folders(question.importer)
        for path, own in candidates(question, added):
            found = self._read(path, own)
            if found is not None:
                return found
        return None

    def _find_added_folders(self, importer: str) -> tuple[str, ...]:
        """Return the folders that a module adds to `sys.path`."""
        if importer not in self._added:
            from inplace_lsp.source.search_path import find_added_folders  # noqa: PLC0415 - the start need not wait

            module = self._read(importer, own=True)
            self._added[importer] = find_added_folders(module.text) if module is not None else ()
        return self._added[importer]

    def _read(self, path: str, own: bool) -> ModuleText | None:
        return ModuleText(path, self._opened[path], own) if path in self._opened else self._disk.module(path, own)
