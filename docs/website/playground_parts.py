"""What the playground gets from Python: the analyser as an archive, and the programs to try.

The archive holds what reads a program and tells of it; what starts processes, runs code or speaks a protocol stays out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from inplace_lsp.hazards.registry import HAZARDS

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "docs" / "website" / "playground" / "python"
SEEDS = ROOT / "tests" / "programs" / "seeds"
LEFT_OUT = frozenset(("agents", "cli", "executors", "inside", "lsp", "verify", "worker"))
"""Rooms that a browser cannot use."""
NOT_OF_LIBCST = frozenset(("codemod", "display", "testing", "tests", "tool.py", "_parser/tests"))
"""Parts of libcst that no repair uses."""
KINDS = (".py", ".toml", ".json", ".css", ".bin")
"""The names of files that the analyser reads end so."""


def write_archive(path: Path) -> None:
    """Write the modules that the playground imports."""
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, file in sorted(_find_modules()):
            archive.write(file, name)


def _find_modules() -> Iterator[tuple[str, Path]]:
    yield from _find_files("inplace_lsp", LEFT_OUT)
    yield from _find_files("inplace_lsp_libraries", frozenset())
    yield from _find_files("libcst", NOT_OF_LIBCST)
    yield from _find_files("yaml", frozenset())
    yield "libcst/native.py", PYTHON / "native.py"
    yield "playground.py", PYTHON / "playground.py"


def _find_files(package: str, left_out: frozenset[str]) -> Iterator[tuple[str, Path]]:
    found = find_spec(package)
    assert found is not None and found.origin is not None
    folder = Path(found.origin).parent
    for file in folder.rglob("*"):
        inside = file.relative_to(folder)
        above = {str(parent.as_posix()) for parent in (inside, *inside.parents)}
        if file.is_file() and "__pycache__" not in inside.parts and file.suffix != ".so" and not above & left_out:
            yield f"{package}/{inside.as_posix()}", file


def list_examples() -> list[dict[str, str]]:
    """Return the programs to try: those of examples/, those of each hazard's page, and those that answers on the web
    explain, some of them wrongly."""
    own = [
        {"group": "Programs", "title": file.name, "text": file.read_text(encoding="utf-8")}
        for file in sorted((ROOT / "examples").glob("*.py"))
    ]
    hazards = [
        {"group": f"{hazard.code} {hazard.name}", "title": example.title, "text": example.text}
        for hazard in HAZARDS
        for example in hazard.examples
    ]
    seeds = [
        {"group": "Answers on the web", "title": file.stem.replace("_", " "), "text": file.read_text(encoding="utf-8")}
        for file in sorted(SEEDS.glob("*.py"))
    ]
    return own + hazards + seeds


def main(folder: Path) -> None:
    """Write both into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_archive(folder / "analyser.zip")
    (folder / "examples.json").write_text(json.dumps(list_examples()), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
