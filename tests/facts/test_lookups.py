"""What the search for modules has found is kept for the next analysis, until something changes on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lsp.config import DEFAULT
from inplace_lsp.facts.models import make_facts
from inplace_lsp.facts.modules import Modules
from inplace_lsp.interpret.state.facts import ModuleQuestion


class Project:
    """A folder, and the facts of the last analysis of `main.py` in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._last: Modules | None = None

    def __truediv__(self, name: str) -> Path:
        return self._folder / name

    def find_text(self, name: str, opened: dict[str, str] | None = None) -> str | None:
        """Return the text of a module as new facts tell it."""
        self._last = make_facts(DEFAULT, opened, self._last)
        found = self._last.find_module(ModuleQuestion(str(self / "main.py"), 0, name))
        return found.text if found is not None else None


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "helpers.py").write_text("ONE = 1\n")
    return Project(tmp_path)


def test_an_answer_is_kept(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    assert project.find_text("helpers") == "ONE = 1\n"
    assert project.find_text("nothing.there") is None
    monkeypatch.setattr(Modules, "_find_module", None)
    assert project.find_text("helpers") == "ONE = 1\n"
    assert project.find_text("nothing.there") is None


def test_a_change_is_seen(project: Project) -> None:
    assert project.find_text("helpers") == "ONE = 1\n"
    (project / "helpers.py").write_text("TWO = 22\n")
    assert project.find_text("helpers") == "TWO = 22\n"
    (project / "helpers.py").unlink()
    assert project.find_text("helpers") is None
    (project / "helpers.py").write_text("ONE = 1\n")
    assert project.find_text("helpers") == "ONE = 1\n"


def test_a_module_that_comes_is_seen(project: Project) -> None:
    assert project.find_text("tools.deep.part") is None
    (project / "tools" / "deep").mkdir(parents=True)
    assert project.find_text("tools.deep.part") is None
    (project / "tools" / "deep" / "part.py").write_text("PART = 1\n")
    assert project.find_text("tools.deep.part") == "PART = 1\n"
    (project / "helpers").mkdir()
    (project / "helpers" / "__init__.py").write_text("PACKAGE = 1\n")
    assert project.find_text("helpers") == "PACKAGE = 1\n"


def test_an_open_file_is_newer_than_the_disk(project: Project) -> None:
    helpers = str(project / "helpers.py")
    assert project.find_text("helpers") == "ONE = 1\n"
    assert project.find_text("helpers", {helpers: "OPEN = 1\n"}) == "OPEN = 1\n"
    assert project.find_text("helpers", {helpers: "OPEN = 2\n"}) == "OPEN = 2\n"
    assert project.find_text("helpers") == "ONE = 1\n"


def test_a_file_that_cannot_be_read_is_read_when_it_is_mended(project: Project) -> None:
    (project / "helpers.py").write_bytes(b"\xff\xfe\xff")
    assert project.find_text("helpers") is None
    (project / "helpers.py").write_text("MENDED = 1\n")
    assert project.find_text("helpers") == "MENDED = 1\n"
