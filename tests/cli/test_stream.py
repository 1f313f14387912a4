"""Findings are printed while a check goes on, in the order of the files; those that another file may change wait."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from cli.commandline import HAZARD, inplace_lsp
from inplace_lsp.cli import stream
from inplace_lsp.cli.influence import Influence

CALLER = "import torch\nfrom helper import touch\n\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ntouch(y)\n"
CALLER += "y.sum().backward()\n"
HELPER = "import torch\n\n\ndef touch(t):\n    t.add_(1)\n\n\n" + HAZARD.partition("\n")[2]
STUCK = """\
import time
from inplace_lsp.cli import main, run, stream

def check_text(text, filename, *rest):
    if filename.endswith("stuck.py"):
        time.sleep(300)
    return real(text, filename, *rest)

stream.PAUSE_SECONDS = 0
real = run.check_text
run.check_text = check_text
main.main(["check", "--no-cache", "--jobs", "{jobs}", "--output-format", "{form}", {folder!r}])
"""


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)


def first_lines(folder: Path, count: int, form: str = "concise", jobs: int = 1) -> list[str]:
    """The lines that a check has printed which never ends; then it is killed."""
    code = STUCK.format(folder=str(folder), form=form, jobs=jobs)
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        return [process.stdout.readline() for _ in range(count)]
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_certain_is_printed_at_once(tmp_path: Path, jobs: int):
    write_files(tmp_path, {**{f"file{n}.py": HAZARD for n in range(5)}, "stuck.py": "x = 1\n"})
    found = first_lines(tmp_path, 5, jobs=jobs)
    assert [Path(line.partition(":")[0]).name for line in found] == [f"file{n}.py" for n in range(5)]


@pytest.mark.parametrize("form", ["full", "github", "json-lines"])
def test_every_format_of_single_findings_is_printed_so(tmp_path: Path, form: str):
    write_files(tmp_path, {"file.py": HAZARD, "stuck.py": "x = 1\n"})
    [line] = first_lines(tmp_path, 1, form)
    assert "IP101" in line


def test_a_file_waits_for_those_that_may_add_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`helper.py` has a hazard of its own, and one that `train.py` brings about: both are printed in its place."""
    write_files(tmp_path, {"aside.py": HAZARD, "helper.py": HELPER, "train.py": CALLER, "zoo.py": HAZARD})
    expected = inplace_lsp("check", "--no-cache", "--output-format", "concise", tmp_path).stdout
    written: list[list[str]] = []
    write = stream.Stream._print_file

    def note(self: stream.Stream, file: str) -> None:
        written.append([Path(file).name, *(Path(name).name for name in self._reports)])
        write(self, file)

    monkeypatch.setattr(stream.Stream, "_print_file", note)
    monkeypatch.setattr(stream, "PAUSE_SECONDS", 0)
    assert inplace_lsp("check", "--no-cache", "--output-format", "concise", "--jobs", "1", tmp_path).stdout == expected
    assert written == [
        ["aside.py", "aside.py"],
        ["helper.py", "aside.py", "helper.py", "train.py"],
        ["train.py", "aside.py", "helper.py", "train.py"],
    ]
    assert [line.partition(":")[0].rpartition("/")[2] for line in expected.splitlines()[:-1]] == [
        "aside.py", "helper.py", "helper.py", "zoo.py"
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["full", "concise", "github", "json-lines", "json", "junit", "gitlab", "rdjson"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_output_is_the_same_whenever_it_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, jobs: str
):
    write_files(tmp_path / "package", {"__init__.py": "", "helper.py": HELPER, "other.py": HAZARD})
    write_files(
        tmp_path, {"aside.py": HAZARD, "broken.py": "def (:\n", "train.py": CALLER.replace("helper", "package.helper")}
    )
    write_files(tmp_path, {"quiet.py": HAZARD.replace("y += 1", "y += 1  # inplace: ignore[IP101]"), "zoo.py": HAZARD})
    options = ("check", "--no-cache", "--output-format", form, "--jobs", jobs, tmp_path)
    at_the_end = inplace_lsp(*options)
    monkeypatch.setattr(stream, "PAUSE_SECONDS", 0)
    assert inplace_lsp(*options).stdout == at_the_end.stdout


def test_what_assumes_nothing_does_not_wait_long_for_files_that_import_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """In a package whose files all import each other any may add to any other: errors are printed once nothing has
    been printed for long, and none twice."""
    names = [f"part{n}" for n in range(4)]
    imports = "".join(f"from package import {name}\n" for name in names)
    files = {
        f"{name}.py": HAZARD.replace("import torch\n", f"import torch\nfrom package import {other}\n")
        for name, other in zip(names, reversed(names), strict=True)
    }
    write_files(tmp_path / "package", {"__init__.py": imports, **files})
    options = ("check", "--no-cache", "--output-format", "concise", "--jobs", "1", tmp_path)
    at_the_end = inplace_lsp(*options).stdout.splitlines()
    written: list[int] = []
    write = stream.Stream._print_errors

    def note(self: stream.Stream) -> None:
        written.append(len(self._reports))
        write(self)

    monkeypatch.setattr(stream.Stream, "_print_errors", note)
    monkeypatch.setattr(stream, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(stream, "HOLD_SECONDS", 0)
    assert sorted(inplace_lsp(*options).stdout.splitlines()) == sorted(at_the_end)
    assert written == [1, 2, 3, 4]
    assert sum("IP101" in line for line in at_the_end) == len(names) + at_the_end[-1].count("IP101")


def test_what_may_lead_to_a_file():
    files = {
        "/p/__init__.py": "",
        "/p/layers/__init__.py": "from .norm import Norm",
        "/p/layers/norm.py": "import torch",
        "/p/model.py": "from p.layers import Norm",
        "/p/data.py": "import numpy",
        "/train.py": "from p import model",
        "/alone.py": "import torch",
    }
    influence = Influence(files)
    assert influence.find_sources("/p/layers/norm.py") == {
        "/p/layers/__init__.py",
        "/p/model.py",
        "/train.py",
    }
    assert influence.find_sources("/p/model.py") == {"/train.py"}
    assert influence.find_sources("/alone.py") == frozenset()
    assert influence.find_sources("/p/__init__.py") == files.keys() - {"/p/__init__.py", "/alone.py"}
