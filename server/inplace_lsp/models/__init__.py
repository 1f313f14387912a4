"""The access to the shipped model files: Python source that says what libraries do to tensors, modules and optimizers.

`torch/utils/checkpoint.py` below this folder describes the module `torch.utils.checkpoint`. Those of Python, NumPy and
torch lie here, those of other libraries in `libraries/` at the top of the repository. The files are read, never
imported: the recorder executes them as it executes the user's code. docs/models.md says how to write one.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path

import inplace_lsp_libraries

from inplace_lsp.disk import MOST_ENTRIES, entries_below

FOLDERS = (Path(__file__).parent, Path(inplace_lsp_libraries.__file__).parent)
"""The folders of the shipped model files: of Python, NumPy and torch, and of other libraries."""


def read_model(module: str) -> tuple[str, str] | None:
    """Return file name and text of the shipped model of `module`; None if there is none."""
    path = find_models().get(module)
    return _read_text(path) if path is not None else None


@cache
def find_models() -> dict[str, Path]:
    """Return the files of all shipped models, by the module that each describes."""
    return {module: path for folder in FOLDERS for module, path in models_in(folder).items()}


def models_in(folder: Path) -> dict[str, Path]:
    """Return the model files below `folder`, by the module that each describes."""
    entries = islice(entries_below(folder), MOST_ENTRIES)
    paths = sorted(Path(entry.path) for entry in entries if entry.name.endswith(".py"))
    named = ((module_of(path, folder), path) for path in paths)
    return {module: path for module, path in named if module}


def module_of(path: Path, folder: Path) -> str:
    """Return the module that a file describes by its path below `folder`; "" if it describes none."""
    if path.suffix != ".py" or not path.is_relative_to(folder):
        return ""
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _read_text(path: Path) -> tuple[str, str]:
    return str(path), path.read_text(encoding="utf-8")
