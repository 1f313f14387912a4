"""What is sent to a fresh interpreter so that it becomes the worker: one line of Python with all sources in it."""

from __future__ import annotations

import base64
import json
import zlib
from functools import cache
from importlib.resources import files

ROOMS = ("tape", "messages", "worker")

STARTER = "f\"={exec(__import__('sys').stdin.readline())}\""
"""The program to start an interpreter with: it runs the first line of its standard input.

Launch commands hand it over in two ways: as it is (`docker run`, `srun`), where it is an f-string, or through a shell
on the other side (`ssh`), which takes the quotes off and leaves an assignment to `f`. Both run what is in the braces.
"""


@cache
def payload_line() -> str:
    """Return the line to send, newline included."""
    sources = {"inplace_lsp": "", **{name: text for room in ROOMS for name, text in _modules_of_room(room)}}
    packed = base64.b64encode(zlib.compress(json.dumps(sources).encode())).decode()
    unpack = f"sources = json.loads(zlib.decompress(base64.b64decode('{packed}')))"
    run = "exec(sources['inplace_lsp.worker.loader'])"
    return f"{leave_out_line()}; import base64, json, zlib; {unpack}; {run}; start(sources, 'serve', path)\n"


@cache
def leave_out_line() -> str:
    """Return what a fresh interpreter runs first: it takes no modules from the current folder."""
    text = files("inplace_lsp").joinpath("worker").joinpath("module_path.py").read_text(encoding="utf-8")
    return f"exec({text!r}); path = leave_out_current_folder()"


def _modules_of_room(room: str) -> list[tuple[str, str]]:
    """Name and text of every module of a room."""
    found = []
    for entry in files("inplace_lsp").joinpath(room).iterdir():
        stem = entry.name.removesuffix(".py")
        if stem != entry.name:
            name = f"inplace_lsp.{room}" if stem == "__init__" else f"inplace_lsp.{room}.{stem}"
            found.append((name, entry.read_text(encoding="utf-8")))
    return sorted(found)
