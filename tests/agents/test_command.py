"""`inplace-lsp mcp` itself: without the SDK, and what it costs those who do not call it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cli.commandline import inplace_lsp

LOADED = """\
import sys
from inplace_lsp.cli.main import main
try:
    main({words!r})
except SystemExit:
    pass
print(sorted({{name.partition(".")[0] for name in sys.modules}} & {{"mcp", "anyio", "pydantic", "jsonschema"}}))
"""


def test_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("inplace_lsp.cli.mcp.find_spec", lambda name: None)
    done = inplace_lsp("mcp")
    assert done.exit_code == 2
    assert done.stderr == (
        "inplace-lsp: the Model Context Protocol needs the package `mcp`: pip install 'inplace-lsp[mcp]' (pipx "
        "inject inplace-lsp mcp)\n"
    )


@pytest.mark.parametrize("words", [["check", "--no-cache", "-"], ["explain", "IP101"], ["ops", "exp"], ["mcp", "-h"]])
def test_no_other_command_loads_the_protocol(words: list[str]):
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(words=words)], input="x = 1\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
