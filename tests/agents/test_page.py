"""docs/agents.md: its session is what the server says, and what it tells to paste starts that server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agents.client import COMMAND
from inplace_lsp.agents.tools import TOOLS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_session_is_real():
    [script], [shown] = blocks("python"), blocks("text")
    path = os.pathsep.join([str(COMMAND.parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines() == shown.splitlines(), done.stderr


def test_what_is_pasted_starts_the_server():
    configurations: list[Any] = [json.loads(block) for block in blocks("json")]
    configurations += [tomllib.loads(block) for block in blocks("toml")]
    servers = [server for configuration in configurations for server in find_servers(configuration)]
    assert len(servers) == len(configurations) == 5
    for server in servers:
        assert server["command"] == "inplace-lsp"
        assert server["args"] in (["mcp"], ["mcp", "--allow-run"])


def find_servers(configuration: Any) -> Iterator[dict[str, Any]]:
    """Whatever a client calls the table of its servers."""
    [table] = configuration.values()
    yield table["inplace-lsp"]


def test_every_tool_stands_on_the_page():
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == list(TOOLS)
