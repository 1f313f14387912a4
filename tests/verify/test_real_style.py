"""Functions as repositories have them, with settings, batches and loaders that nobody gives, some spread over the files
of a project: the marked write is confirmed, and what its comment has in its place is not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.inputs.model import Hints
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import target_at_line
from inplace_lsp.verify.verdict import TELLING, Verdict

FOLDER = Path(__file__).parent / "real_style"
MARK = "  # confirmed, repaired: "
PROGRAMS = sorted(path for path in FOLDER.rglob("*.py") if MARK in path.read_text(encoding="utf-8"))
each = pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(FOLDER).with_suffix("")))


def split(text: str) -> tuple[str, str, int]:
    """Return the program with the write, the repaired one, and the row of the write. A step stays where it is: what it
    would spoil is computed again behind it."""
    lines = text.splitlines()
    row = next(at for at, line in enumerate(lines) if MARK in line)
    code, _, instead = lines[row].partition(MARK)
    indent = code[: len(code) - len(code.lstrip())]
    repaired = [*([code] if code.endswith(".step()") else []), indent + instead]
    before, behind = lines[:row], lines[row + 1 :]
    return "\n".join([*before, code, *behind]), "\n".join([*before, *repaired, *behind]), row + 1


def ask(client: Client, text: str, path: Path, row: int, folder: Path) -> Verdict:
    """Verify the row of a program, or of a file of a project, which is in `folder` then."""
    inside = path.relative_to(FOLDER)
    file = f"/nowhere/{path.name}"
    if len(inside.parts) > 1:
        project = shutil.copytree(FOLDER / inside.parts[0], folder / inside.parts[0])
        (project / ".git").mkdir()  # the root of a project, as every clone has it
        (folder / inside).write_text(text, encoding="utf-8")
        file = str(folder / inside)
    subject = Subject(text, file, target_at_line(text, row), Hints((row,)))
    return verify(subject, client, Options(device="cpu"))


@pytest.fixture
def worker(path: Path, request: pytest.FixtureRequest) -> Client:
    """Return the worker for a program: those with pictures or YAML run where no library reads any."""
    shows = "torchvision" in path.read_text(encoding="utf-8")
    found: Client = request.getfixturevalue("client_without_vision" if shows else "client")
    return found


@each
def test_the_write_is_confirmed(worker: Client, path: Path, tmp_path: Path) -> None:
    text, _, row = split(path.read_text(encoding="utf-8"))
    answer = ask(worker, text, path, row, tmp_path)
    assert answer.verdict in TELLING, answer.reason
    assert row in {violation.written.row for violation in answer.violations}


@each
def test_the_repaired_function_is_not(worker: Client, path: Path, tmp_path: Path) -> None:
    _, text, row = split(path.read_text(encoding="utf-8"))
    answer = ask(worker, text, path, row, tmp_path)
    assert answer.verdict not in TELLING, answer.reason
