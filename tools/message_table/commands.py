"""Messages of the command line on stderr, from runs in folders with something it cannot use."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from click.testing import CliRunner

from inplace_lsp.cli.commands import command_group

_GOOD = """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.add_(1)
y.sum().backward()
"""
_ERROR = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.FloatTensor [3]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead.\n"
)


@dataclass(frozen=True, slots=True)
class Call:
    """A command line in a folder that holds `files`; `toml` is its table in pyproject.toml."""

    words: str
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    toml: str = ""
    typed: str = ""


CALLS = (
    Call("check nowhere.py"),
    Call("check", {}),
    Call("check bad.py", {"bad.py": "def broken(:\n    pass\n"}),
    Call("check bad.py", {"bad.py": b"# caf\xe9\n"}),
    Call("check bad.py", {"bad.py": b"\x00\x01\x02\x00"}),
    Call("check bad.py", {"bad.py": b"\xef\xbb\xbf# coding: latin-1\n"}),
    Call("check prose.txt", {"prose.txt": "These are words of English, and no program.\n"}),
    Call("tape study.ipynb", {"study.ipynb": "{}"}),
    Call("check --suppress ' ' good.py", {"good.py": _GOOD}),
    Call("check --write-baseline good.py", {"good.py": _GOOD}),
    Call("check --watch -"),
    Call("check --watch --diff good.py", {"good.py": _GOOD}),
    Call("check --jobs 2 --executor dask:127.0.0.1:1 good.py", {"good.py": _GOOD}),
    Call("check --baseline none.json good.py", {"good.py": _GOOD}),
    Call("check --baseline bad.json good.py", {"good.py": _GOOD, "bad.json": "{"}),
    Call("check --baseline other.json good.py", {"good.py": _GOOD, "other.json": "[]"}),
    Call("check --baseline folder good.py", {"good.py": _GOOD, "folder/x": ""}),
    Call("check --baseline folder --write-baseline good.py", {"good.py": _GOOD, "folder/x": ""}),
    Call("check --output-file folder good.py", {"good.py": _GOOD, "folder/x": ""}),
    Call("check --changed-since nothing good.py", {"good.py": _GOOD}),
    Call("check --select IP9x good.py", {"good.py": _GOOD}),
    Call("check good.py", {"good.py": _GOOD}, "selekt = ['IP1']"),
    Call("check good.py", {"good.py": _GOOD}, "select = 'IP1'"),
    Call("check good.py", {"good.py": _GOOD}, "select = ["),
    Call("check good.py", {"good.py": _GOOD}, "per-file-ignores = 3"),
    Call("check good.py", {"good.py": _GOOD}, "severity = 3"),
    Call("check good.py", {"good.py": _GOOD}, "severity = {IP101 = 'fatal'}"),
    Call("check good.py", {"good.py": _GOOD}, "fix = 'yes'"),
    Call("check good.py", {"good.py": _GOOD}, "baseline = 3"),
    Call("check good.py", {"good.py": _GOOD}, "output-format = 'xml'"),
    Call("check --show-fixes --output-format concise good.py", {"good.py": _GOOD}),
    Call("check good.py", {"good.py": _GOOD}, "per-file-ignores = {'!' = ['IP1']}"),
    Call("check good.py", {"good.py": _GOOD}, "models = ['nowhere']"),
    Call("check good.py", {"good.py": _GOOD}, "models = ['/']"),
    Call("check good.py", {"good.py": _GOOD}, f"select = {'[' * 5000}{']' * 5000}"),
    Call("check --show-settings nothing", {"nothing/x": ""}),
    Call("explain IP999"),
    Call("ops sigmoyd"),
    Call("ops no_such_op_at_all"),
    Call("tape good.py", {"good.py": _GOOD}),
    Call("tape good.py:1", {"good.py": _GOOD}),
    Call("tape nowhere.py:1"),
    Call("trace nowhere.py"),
    Call("verify nowhere.py"),
    Call("verify good.py:99", {"good.py": _GOOD}),
    Call("verify good.py::scale", {"good.py": _GOOD}),
    Call("verify bad.py", {"bad.py": "def broken(:\n"}),
    Call("verify --output-file x.txt good.py", {"good.py": _GOOD}),
    Call("verify --output-format junit good.py", {"good.py": _GOOD}),
    Call("verify --executor dask good.py", {"good.py": _GOOD}),
    Call("verify --all --output-format svg good.py", {"good.py": _GOOD}),
    Call("verify --all empty.py", {"empty.py": ""}),
    Call("verify --python ./none good.py", {"good.py": _GOOD}),
    Call("verify --launch 'ssh \"' good.py", {"good.py": _GOOD}),
    Call("why nowhere.log"),
    Call("why . ", {"good.py": _GOOD}),
    Call("why -", typed="Segmentation fault"),
    Call("why error.log", {"error.log": _ERROR}),
    Call("why error.log nowhere", {"error.log": _ERROR, "good.py": _GOOD}),
)
"""Every error that a command line alone can bring about."""


_USAGE = re.compile(r"(?s)^Usage: .*?Error: ")


def command_errors() -> Iterator[tuple[str, str]]:
    """Return each command line with each line that it says on stderr."""
    for call in CALLS:
        yield from ((f"inplace-lsp {call.words}", line) for line in _stderr_lines(call).splitlines())


def _stderr_lines(call: Call) -> str:
    """Return the output of a command line without its folder and the usage before an error."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="inplace-") as folder:
        for name, content in {"pyproject.toml": f"[tool.inplace-lsp]\n{call.toml}\n", **call.files}.items():
            there = Path(folder, name)
            there.parent.mkdir(exist_ok=True)
            there.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.chdir(folder)
        try:
            done = CliRunner().invoke(command_group, call.words, input=call.typed, prog_name="inplace-lsp")
        finally:
            os.chdir(before)
        told = _USAGE.sub("", done.stderr or (done.stdout if done.exit_code == 0 else ""))
        return told.replace(os.path.realpath(folder), "/project").replace(folder, "/project")
