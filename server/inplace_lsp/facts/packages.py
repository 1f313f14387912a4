"""Tell which packages a file imports: whether their sources were read, and which are unknown."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from inplace_lsp.facts.digests import Recorded
from inplace_lsp.facts.installed import is_installed
from inplace_lsp.facts.modules import Modules
from inplace_lsp.interpret.state.facts import ModuleQuestion, ModuleText
from inplace_lsp.models import find_models


@dataclass(frozen=True, slots=True)
class Packages:
    """What an analysis knows about the packages that a file imports."""

    read: bool = False
    """Whether sources of installed packages were read."""
    absent: tuple[str, ...] = ()
    """The packages that are not installed, are not the user's own, and are not described by a model."""


def find_packages(file: str, asked: Recorded, modules: Modules) -> Packages:
    """Return the packages that `file` imports, as far as an analysis has `asked` for their modules."""
    answers = dict(_find_imports(file, asked))
    present = {name.partition(".")[0] for name, answer in answers.items() if answer is not None}
    described = find_models().keys() | dict(modules.list_models()).keys()
    missing = (name.partition(".")[0] for name, answer in answers.items() if answer is None and name not in described)
    absent = (name for name in dict.fromkeys(missing) if name not in present and _is_absent(name, file, modules))
    return Packages(any(_is_installed_source(answer) for answer in answers.values()), tuple(absent))


def _find_imports(file: str, asked: Recorded) -> Iterator[tuple[str, ModuleText | None]]:
    """Yield the names of the modules that a file was found to import, with their sources."""
    for question, answer in asked.answers.items():
        if isinstance(question, ModuleQuestion) and question.importer == file and question.level == 0:
            yield question.name, answer if isinstance(answer, ModuleText) else None


def _is_installed_source(answer: ModuleText | None) -> bool:
    return answer is not None and not answer.own and not answer.model


def _is_absent(name: str, file: str, modules: Modules) -> bool:
    """Return whether there is no package of this name; one without Python source counts as present."""
    if name in sys.stdlib_module_names or modules.holds_package(name):
        return False
    return not is_installed(name, os.path.dirname(file), modules.python)
