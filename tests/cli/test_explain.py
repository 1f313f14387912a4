"""`explain --open`: the pages of all codes in a browser, without a network."""

from __future__ import annotations

import re
import webbrowser
from pathlib import Path

import pytest

from cli.commandline import inplace_lsp
from inplace_lsp.explanations import list_explanations


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser is asked for."""
    asked: list[str] = []
    monkeypatch.setenv("INPLACE_LSP_PAGES_DIR", str(tmp_path / "pages"))
    monkeypatch.setattr(webbrowser, "open", lambda url: asked.append(url) or True)
    return asked


def test_a_code_is_shown(opened: list[str], tmp_path: Path):
    result = inplace_lsp("explain", "ip101", "--open")
    page = tmp_path / "pages" / "IP101.html"
    assert (result.exit_code, opened) == (0, [page.as_uri()])
    text = page.read_text(encoding="utf-8")
    assert "<h1>saved-tensor-modified (IP101)</h1>" in text
    assert '<span class="c1"># error: IP101</span>' in text


def test_without_a_code_the_list_is_shown(opened: list[str], tmp_path: Path):
    assert inplace_lsp("explain", "--open").exit_code == 0
    assert opened == [(tmp_path / "pages" / "index.html").as_uri()]


def test_the_pages_lead_to_each_other_and_load_nothing(opened: list[str], tmp_path: Path):
    inplace_lsp("explain", "--open")
    pages = sorted((tmp_path / "pages").iterdir())
    assert {page.stem for page in pages} == {"index", *(each.code for each in list_explanations())}
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "src=" not in text
        links = re.findall(r'href="(?!https:)([^"]+)"', text)
        assert [link for link in links if not (page.parent / link).exists()] == []


def test_without_a_browser_the_file_is_named(opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(webbrowser, "open", lambda url: False)
    result = inplace_lsp("explain", "IP103", "--open")
    assert result.stdout == f"{tmp_path / 'pages' / 'IP103.html'}\n"
    assert "no browser was found" in result.stderr


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("INPLACE_LSP_PAGES_DIR", str(tmp_path / "file"))
    result = inplace_lsp("explain", "IP103", "--open")
    assert (result.exit_code, "the pages cannot be written" in result.stderr) == (2, True)


def test_what_does_not_exist_is_not_opened(opened: list[str]):
    assert inplace_lsp("explain", "IP999", "--open").exit_code == 2
    assert opened == []
