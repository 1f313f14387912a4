"""Every command that the pages show can be given: the options exist, and so do the targets of make."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from inplace_lsp.cli.commands import command_group

ROOT = Path(__file__).parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "vscode-client/README.md", "nvim-client/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "hazards").glob("*.md")),
]
GENERATED = {"messages.md"}
"""It shows what is wrong with a command line."""
SHOWN = re.compile(r"(?:^(?: {4}|\$ )|`)(?:\w+ )*?(inplace-lsp [a-z][^`\n]*)", re.MULTILINE)
ENDS = ("|", "||", "&&", ">", ">>", "2>", "<", ";")
PLACEHOLDERS = re.compile(r"[\[\]]|\.\.\.|\b(?:text|json)\|\S+")
MAKE = re.compile(r"(?:^ {4}|`)make ((?:[a-z][\w-]*)?)(?![\w-])[^`\n]*", re.MULTILINE)


def shown_commands() -> Iterator[tuple[str, str]]:
    """Yield the page and the words of each command line that a page shows."""
    for page in PAGES:
        if page.name not in GENERATED:
            for match in SHOWN.finditer(page.read_text(encoding="utf-8")):
                yield str(page.relative_to(ROOT)), match[1].strip()


def words_of(line: str) -> list[str]:
    """The arguments after the program's name, up to a comment or another command."""
    words = shlex.split(line.replace("'[inplace", "'inplace"), comments=True)[1:]
    end = next((at for at, word in enumerate(words) if word in ENDS), len(words))
    return words[:end]


COMMANDS = sorted(set(shown_commands()))


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_the_command_line_is_understood(page: str, line: str) -> None:
    if PLACEHOLDERS.search(line):
        line = PLACEHOLDERS.sub(" ", line)
    name, *arguments = words_of(line)
    command = command_group.get_command(click.Context(command_group), name)
    assert command is not None, page
    command.make_parser(click.Context(command, **command.context_settings)).parse_args(arguments)


def test_commands_are_found() -> None:
    assert len(COMMANDS) > 60


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_targets_of_make_exist() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    shown = {match[1] for match in MAKE.finditer(text)} - {""}
    phony = set((ROOT / "Makefile").read_text().partition(".PHONY:")[2].partition("\n\n")[0].replace("\\", " ").split())
    assert shown
    assert shown <= phony
    for target in sorted(phony):
        done = subprocess.run(
            ["make", "--dry-run", target, "TORCH=2.6.0", "VERSION=0.2.0"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, f"{target}: {done.stderr}"
