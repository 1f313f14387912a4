"""The template for LSP4IJ: what it imports, and that its command starts the server. The IDE itself is not here."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "release" / "lsp4ij"
TEMPLATE = json.loads((FOLDER / "template.json").read_text(encoding="utf-8"))
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "processId": None,
        "rootUri": None,
        "capabilities": {"textDocument": {"publishDiagnostics": {}, "hover": {}, "codeAction": {}}},
        "initializationOptions": json.loads((FOLDER / "initializationOptions.json").read_text(encoding="utf-8")),
    },
}


def test_it_has_what_lsp4ij_reads():
    assert set(TEMPLATE) == {"id", "name", "programArgs", "fileTypeMappings"}
    [mapping] = TEMPLATE["fileTypeMappings"]
    assert mapping["languageId"] == "python"
    assert "*.py" in mapping["fileType"]["patterns"]
    assert shlex.split(TEMPLATE["programArgs"]["windows"]) == ["inplace-lsp.exe", "serve"]


def test_it_grants_no_trust_by_itself():
    assert json.loads((FOLDER / "initializationOptions.json").read_text(encoding="utf-8")) == {}


def test_its_command_starts_the_server():
    body = json.dumps(INITIALIZE)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        shlex.split(TEMPLATE["programArgs"]["default"]),
        input=f"Content-Length: {len(body)}\r\n\r\n{body}",
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    answer = json.loads(re.split(r"\r?\n\r?\n", done.stdout, maxsplit=1)[1].partition("Content-Length")[0])
    assert answer["result"]["serverInfo"]["name"] == "inplace-lsp"
    assert answer["result"]["capabilities"]["codeActionProvider"]
