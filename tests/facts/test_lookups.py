"""What the search for modules has found is kept for the next analysis, until something changes on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lsp.facts.models import make_facts
from inplace_lsp.facts.modules import Modules
from inplace_lsp.interpret.state.facts import ModuleQuestion


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "helpers.py").write_text("ONE = 1\n")
    return tmp_path


def find_text(project: Path, name: str, opened: dict[str, str] | None = None) -> str | None:
    """Return the text of a module as new facts tell it."""
    found = make_facts((), opened).module(ModuleQuestion(str(project / "main.py"), 0, name))
    return found.text if found is not None else None


def test_an_answer_is_kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_text(project, "helpers") == "ONE = 1\n"
    assert find_text(project, "nothing.there") is None
    monkeypatch.setattr(Modules, "_find_module", None)
    assert find_text(project, "helpers") == "ONE = 1\n"
    assert find_text(project, "nothing.there") is None


def test_a_change_is_seen(project: Path) -> None:
    assert find_text(project, "helpers") == "ONE = 1\n"
    (project / "helpers.py").write_text("TWO = 22\n")
    assert find_text(project, "helpers") == "TWO = 22\n"
    (project / "helpers.py").unlink()
    assert find_text(project, "helpers") is None
    (project / "helpers.py").write_text("ONE = 1\n")
    assert find_text(project, "helpers") == "ONE = 1\n"


def test_a_module_that_comes_is_seen(project: Path) -> None:
    assert find_text(project, "tools.deep.part") is None
    (project / "tools" / "deep").mkdir(parents=True)
    assert find_text(project, "tools.deep.part") is None
    (project / "tools" / "deep" / "part.py").write_text("PART = 1\n")
    assert find_text(project, "tools.deep.part") == "PART = 1\n"
    (project / "helpers").mkdir()
    (project / "helpers" / "__init__.py").write_text("PACKAGE = 1\n")
    assert find_text(project, "helpers") == "PACKAGE = 1\n"


def test_an_open_file_is_newer_than_the_disk(project: Path) -> None:
    helpers = str(project / "helpers.py")
    assert find_text(project, "helpers") == "ONE = 1\n"
    assert find_text(project, "helpers", {helpers: "OPEN = 1\n"}) == "OPEN = 1\n"
    assert find_text(project, "helpers", {helpers: "OPEN = 2\n"}) == "OPEN = 2\n"
    assert find_text(project, "helpers") == "ONE = 1\n"


def test_a_file_that_cannot_be_read_is_read_when_it_is_mended(project: Path) -> None:
    (project / "helpers.py").write_bytes(b"\xff\xfe\xff")
    assert find_text(project, "helpers") is None
    (project / "helpers.py").write_text("MENDED = 1\n")
    assert find_text(project, "helpers") == "MENDED = 1\n"
