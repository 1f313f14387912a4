"""The project's own model files: read from the editor where they are open, else from the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from inplace_lsp.facts.modules import Disk, Modules
from inplace_lsp.interpret.state.facts import Facts, Models, ModuleText
from inplace_lsp.models import models_in, module_of

_DISK = Disk()


class Project(Protocol):
    """The settings of a project about libraries: the folders of its model files, the release of torch, and the
    interpreter or environment; "" means that it has to be looked up."""

    @property
    def models(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def torch(self) -> str: ...  # noqa: D102

    @property
    def python(self) -> str: ...  # noqa: D102


def make_facts(project: Project, opened: Mapping[str, str] | None = None, last: Facts | None = None) -> Modules:
    """Return the facts for one analysis in a project. `opened`: texts newer than the disk's.

    `last`: the facts of the last analysis of the same program. Their look-ups are reused if the disk has not changed,
    since the analysis after an edit asks the same questions.
    """
    known = last.find_lookups_for(opened or {}, project.python) if isinstance(last, Modules) else None
    models = read_models(project.models, opened)
    return Modules(opened, models=models, torch=project.torch, python=project.python, known=known)


def read_models(folders: Sequence[str], opened: Mapping[str, str] | None = None) -> Models:
    """Return the texts of all model files, by module. If two describe the same module, the first folder wins."""
    found: dict[str, ModuleText] = {}
    for folder in folders:
        for module, path in _find_model_files(folder, opened or {}).items():
            text = _read_model(path, opened or {})
            if text is not None:
                found.setdefault(module, text)
    return tuple(sorted(found.items()))


def is_model_file(filename: str, folders: Sequence[str]) -> bool:
    """Return whether the file describes a module, as a model file in one of `folders`."""
    return any(module_of(Path(filename), Path(folder)) for folder in folders)


def is_below(filename: str, folder: str) -> bool:
    """Return whether the file or folder is `folder` or inside it."""
    return Path(filename).is_relative_to(folder)


def list_model_places(folders: Sequence[str]) -> frozenset[str]:
    """Return the model files on the disk, and the folders in which others may appear."""
    files = (path for folder in folders for path in models_in(Path(folder)).values())
    return frozenset(str(place) for path in files for place in (path, path.parent)).union(folders)


def _find_model_files(folder: str, opened: Mapping[str, str]) -> dict[str, str]:
    """Return the model files of a folder by module, including those that exist only in the editor."""
    saved = {module: str(path) for module, path in models_in(Path(folder)).items()}
    unsaved = ((module_of(Path(name), Path(folder)), name) for name in opened)
    return {**{module: name for module, name in unsaved if module}, **saved}


def _read_model(path: str, opened: Mapping[str, str]) -> ModuleText | None:
    if path in opened:
        return ModuleText(path, opened[path], own=False, model=True)
    text = _DISK.read_module(path, own=False)
    return _mark_as_model(text) if text is not None else None


@lru_cache(maxsize=256)
def _mark_as_model(text: ModuleText) -> ModuleText:
    return text._replace(model=True)
