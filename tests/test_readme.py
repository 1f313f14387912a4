"""The README shows what the program really prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.commandline import inplace_lsp

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```console\n\$ inplace-lsp ([^\n]*)\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize(("arguments", "shown"), SHOWN)
def test_real_output(arguments: str, shown: str, monkeypatch: pytest.MonkeyPatch):
    """Pieces of the output may be left out, where `[...]` stands."""
    monkeypatch.chdir(ROOT)
    printed = re.sub(r"[ ]+$", "", inplace_lsp(*arguments.split()).stdout, flags=re.MULTILINE)
    for piece in shown.split("[...]\n"):
        assert piece.strip("\n") in printed


def test_something_is_shown():
    assert [arguments.split()[0] for arguments, _ in SHOWN] == ["check", "tape"]


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
