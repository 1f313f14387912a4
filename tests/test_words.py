"""What people read is plain English: phrases that a PyTorch user would not say are listed here, and found nowhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

from inplace_lsp.cli.commands import COMMANDS, command_group
from inplace_lsp.engine import analyse_source

ROOT = Path(__file__).parent.parent
FOR_DEVELOPERS = {"ARCHITECTURE.md"}
AVOIDED = {
    r"t(?:ells?|old) (?:of|apart)": "say what is reported or named",
    r"(?:is|are|be) told": "reported, explained or shown",
    r"behind (?:the|such|it|which|that|torch|writes|a call)": "after",
    r"so (?:many|much) (?:of|is|are)": "how many",
    r"a text|texts": "a string, a file, the source or the code",
    r"errors? of torch's|messages? of torch's|of (?:ours|yours|theirs)": "a PyTorch error, your ...",
    r"an operand": "an input",
    r"anew": "again",
    r"beginnings?": "a prefix, the start",
    r"goes by|go by the name": "is called",
    r"round (?:the|it|its|them|which)": "around",
    r"hand(?:s|ed)? over": "copies, passes",
    r"to the letter": "exactly",
    r"whoever|of somebody|to somebody": "its callers, all users of the tensor",
    r"walk(?:s|ed|ing)? (?:a|the|what|back|nodes|once|twice|it)|graph is walked": "goes through, runs backward",
    r"com(?:es?|ing) to (?:it|them|such)": "reaches",
    r"for want of": "because ... is missing",
    r"passed over": "ignored, skipped",
    r"all the same": "still, anyway",
    r"die[sd]? of|dying of": "fail with",
    r"made up of nothing|what went in": "the input",
    r"on (?:its|their) own account": "itself",
    r"beginning that stands": "a prefix",
    r"do(?:es)? not tell|will not tell": "does not say, raises no error",
    r"\(call-site\)": "taken from a real call",
}
"""A phrase as a regular expression, and what to say instead."""
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(page for page in (ROOT / "docs").glob("*.md") if page.name not in FOR_DEVELOPERS),
    *sorted((ROOT / "docs" / "hazards").glob("*.md")),
    ROOT / "vscode-client" / "README.md",
    ROOT / "nvim-client" / "README.md",
    ROOT / "nvim-client" / "doc" / "inplace.txt",
]
"""docs/messages.md, which is written from the code, has every message."""


def find_avoided(words: str) -> list[str]:
    """Return each avoided phrase of a text, with its surroundings and what to say instead."""
    flat = " ".join(words.split())
    found = []
    for phrase, instead in AVOIDED.items():
        for match in re.finditer(rf"(?<!\w)(?:{phrase})(?!\w)", flat, re.IGNORECASE):
            found.append(f"{flat[max(0, match.start() - 40) : match.end() + 30]!r}: say {instead}")
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_and_messages(page: Path) -> None:
    assert find_avoided(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help(name: str) -> None:
    command = command_group.get_command(click.Context(command_group), name)
    assert command is not None
    assert find_avoided(command.get_help(click.Context(command, info_name=name))) == []


def test_settings_of_the_extension() -> None:
    """The titles of its commands, and the descriptions of its settings."""
    manifest = json.loads((ROOT / "vscode-client" / "package.json").read_text(encoding="utf-8"))
    assert find_avoided(json.dumps(manifest["contributes"], ensure_ascii=False)) == []


def test_a_phrase_is_found_across_lines() -> None:
    assert len(find_avoided("The write is told\nof behind the\nstep.")) == 3


def test_a_part_under_an_unknown_key_is_named_after_the_key():
    text = (Path(__file__).parent / "programs/modules/parts_by_unknown_name.py").read_text(encoding="utf-8")
    unknown = text.partition("x = torch.rand")[0]
    messages = [finding.message for finding in analyse_source(unknown, "program.py").findings]
    assert [message.partition(" is written")[0] for message in messages] == ["`self.parts.<name>.weight`"]
