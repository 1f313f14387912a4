"""The texts of imported modules: from the editor where the file is open, else from the disk."""

from __future__ import annotations

import io
import os
import tokenize
from collections.abc import Mapping
from itertools import starmap
from pathlib import PurePath

from inplace_lsp.disk import check_fit, read_bytes
from inplace_lsp.facts.inferred_types import KNOWN
from inplace_lsp.facts.installed import find_installed_torch
from inplace_lsp.facts.lookups import Lookups, Place
from inplace_lsp.facts.search import find_paths, find_roots, is_own, split_name
from inplace_lsp.interpret.state.facts import (
    Kind,
    Models,
    ModuleQuestion,
    ModuleText,
    ParameterQuestion,
    TorchQuestion,
)


def module_name(filename: str) -> str:
    """Return the last part of the module name of a file."""
    path = PurePath(filename)
    return path.parent.name if path.stem == "__init__" else path.stem


class Disk:
    """Source files as last read; they are read again when they change."""

    def __init__(self) -> None:
        self._texts: dict[str, tuple[tuple[int, int], ModuleText | None]] = {}

    def read_module(self, path: str, own: bool) -> ModuleText | None:
        """Return the source in `path`; None if it cannot be read."""
        try:
            status = os.stat(path)
            check_fit(status)
        except (OSError, ValueError):
            return None
        stamp = (status.st_mtime_ns, status.st_size)
        known = self._texts.get(path)
        if known is None or known[0] != stamp:
            known = self._texts[path] = (stamp, _read_module_text(path, own))
        return known[1]

    def is_as_read(self, path: str, text: ModuleText | None) -> bool:
        """Return whether reading `path` gives `text` again, None for a file that is not there or cannot be read."""
        if text is None:
            return path not in self._texts or self.read_module(path, own=True) is None
        return self.read_module(path, text.own) is text


def _read_module_text(path: str, own: bool) -> ModuleText | None:
    try:
        data = io.BytesIO(read_bytes(path))
        encoding, _ = tokenize.detect_encoding(data.readline)
        data.seek(0)
        return ModuleText(path, io.TextIOWrapper(data, encoding).read(), own)
    except (OSError, SyntaxError, ValueError, LookupError):
        return None


_DISK = Disk()


class Modules:
    """Facts for one analysis: each question is answered only once, from the files at that time."""

    def __init__(
        self,
        opened: Mapping[str, str] | None = None,
        disk: Disk = _DISK,
        models: Models = (),
        torch: str = "",
        python: str = "",
        known: Lookups | None = None,
    ) -> None:
        """Take the texts of open files (`opened`, by name, newer than the disk's) and the project's `models`.

        `torch` is the release that the configuration names, "" to look it up in the environment. `python` names the
        environment, "" to search for it. `known` are look-ups of earlier facts, with the same open files and
        environment, that are still valid.
        """
        self._opened = opened or {}
        self._models = models
        self._torch = torch
        self.python = python
        """The interpreter or folder that names the environment, "" to search for it."""
        self._torch_found: dict[TorchQuestion, str] = {}
        self._disk = disk
        self._answers: dict[ModuleQuestion, ModuleText | None] = {}
        self._known = known if known is not None else Lookups()
        self.confirmed: dict[str, set[str]] = {}
        """The answers that `digests.would_answer_the_same` has confirmed, by the importing file."""
        self.types: dict[ParameterQuestion, Kind] = {}
        """The inferred kinds that this analysis has received."""

    def find_module(self, question: ModuleQuestion) -> ModuleText | None:
        """Return the source of a module; None if it cannot be found."""
        if question not in self._answers:
            answers = self._known.answers
            if question not in answers:
                answers[question] = self._find_module(question)
            self._answers[question] = answers[question]
        return self._answers[question]

    def find_lookups_for(self, opened: Mapping[str, str], python: str) -> Lookups | None:
        """Return the look-ups for an analysis with these open files in this environment; None if something has changed
        since."""
        known = self._known
        same = opened == self._opened and python == self.python and known.has_same_folders()
        return known if same and all(starmap(self._disk.is_as_read, list(known.texts.items()))) else None

    def find_parameter_kind(self, question: ParameterQuestion) -> Kind | None:
        """Return the inferred kind of a parameter, if any."""
        found = KNOWN.find_type(question)
        if found is not None:
            self.types[question] = found
        return found

    def list_models(self) -> Models:
        """Return the project's own models."""
        return self._models

    def find_torch_release(self, question: TorchQuestion) -> str:
        """Return the release of torch that the project runs with."""
        if self._torch:
            return self._torch
        if question not in self._torch_found:  # every function of the file asks
            self._torch_found[question] = find_installed_torch(os.path.dirname(question.file), self.python)
        return self._torch_found[question]

    @property
    def answers(self) -> Mapping[ModuleQuestion, ModuleText | None]:
        """The questions about modules so far, with their answers."""
        return self._answers

    @property
    def files_read(self) -> frozenset[str]:
        """The files in which modules were found."""
        return frozenset(answer.filename for answer in self._answers.values() if answer is not None)

    @property
    def files_missing(self) -> frozenset[str]:
        """The user's own files and folders that would have been read if they had been there."""
        files = (path for path, text in self._known.texts.items() if text is None)
        folders = (os.path.join(*place) for place, is_there in self._known.packages.items() if not is_there)
        return frozenset(path for path in (*files, *folders) if is_own(path))

    @property
    def requested_names(self) -> frozenset[str]:
        """All parts of the names of the requested modules: a new file of such a name may change an answer."""
        return frozenset(part for question in self._answers for part in question.name.split(".") if part)

    def holds_package(self, name: str) -> bool:
        """Return whether a folder of this name was seen where modules of its package were looked for."""
        return any(is_there for (_, package), is_there in self._known.packages.items() if package == name)

    def _find_module(self, question: ModuleQuestion) -> ModuleText | None:
        if not os.path.isabs(question.importer):
            return None
        added = () if question.level else self._find_added_folders(question.importer)
        folder = os.path.dirname(question.importer)
        place = Place(folder, question.level, question.name, added)
        found = self._known.found
        if place not in found:
            found[place] = self._search_module(question, folder, added)
        return found[place]

    def _search_module(self, question: ModuleQuestion, folder: str, added: tuple[str, ...]) -> ModuleText | None:
        parts = split_name(question)
        if parts is None:
            return None
        for root, own in find_roots(folder, question.level, added, self.python):
            if len(parts) > 1 and not self._holds_package(root, parts[0]):
                continue
            for path in find_paths(root, parts):
                found = self._read_path(path, own)
                if found is not None:
                    return found
        return None

    def _holds_package(self, root: str, name: str) -> bool:
        """Return whether there may be modules below the package `name` in the folder `root`: in most there are none."""
        packages = self._known.packages
        if (root, name) not in packages:
            folder = os.path.join(root, name)
            self._known.note_folder(folder)
            opened = any(path.startswith(folder) for path in self._opened)
            packages[root, name] = opened or os.path.isdir(folder)
        return packages[root, name]

    def _find_added_folders(self, importer: str) -> tuple[str, ...]:
        """Return the folders that a module adds to `sys.path`."""
        added = self._known.added
        if importer not in added:
            module = self._read_path(importer, own=True)
            added[importer] = (
                () if module is None or "sys.path" not in module.text else _read_added_folders(module.text)
            )
        return added[importer]

    def _read_path(self, path: str, own: bool) -> ModuleText | None:
        if path in self._opened:
            return ModuleText(path, self._opened[path], own)
        texts = self._known.texts
        if path not in texts:  # modules of a folder ask for the same paths
            self._known.note_folder(path)
            texts[path] = self._disk.read_module(path, own)
        return texts[path]


def _read_added_folders(text: str) -> tuple[str, ...]:
    from inplace_lsp.source.search_path import find_added_folders  # noqa: PLC0415 - few modules need a parser for this

    return find_added_folders(text)
