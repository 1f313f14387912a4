"""The README shows what the program really prints; the pages behind it have every option and setting."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from cli.commandline import inplace_lsp
from inplace_lsp.cli.commands import COMMANDS, command_group
from inplace_lsp.lsp.client.settings import KEYS
from inplace_lsp.report.formats import FORMATS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {"mcp": "agents.md", "serve": "server.md", "trace": "trace.md", "verify": "verify.md"}
"""The commands whose options stand on a page of their own."""
CI = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```console\n\$ inplace-lsp ([^\n]*)\n(.*?)```", README + CI, re.DOTALL)


@pytest.mark.parametrize(("arguments", "shown"), SHOWN)
def test_real_output(arguments: str, shown: str, monkeypatch: pytest.MonkeyPatch):
    """Pieces of the output may be left out, where `[...]` stands."""
    monkeypatch.chdir(ROOT)
    printed = re.sub(r"[ ]+$", "", inplace_lsp(*arguments.split()).stdout, flags=re.MULTILINE)
    for piece in shown.split("[...]\n"):
        assert piece.strip("\n") in printed


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_in_the_documentation(name: str):
    assert f"`{name}`" in (ROOT / "docs" / "usage.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_option_is_in_the_documentation(command: str):
    page = (ROOT / "docs" / PAGES.get(command, "usage.md")).read_text(encoding="utf-8")
    known = command_group.get_command(click.Context(command_group), command)
    assert known is not None
    options = [max(parameter.opts, key=len) for parameter in known.params if isinstance(parameter, click.Option)]
    assert [option for option in options if option not in page] == []
    assert f"inplace-lsp {command}" in page


def test_every_setting_is_in_the_documentation():
    page = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    assert [key for key in KEYS if f"`{key}`" not in page] == []


def test_something_is_shown():
    assert [arguments.split()[0] for arguments, _ in SHOWN] == ["check"] * 5


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
