"""`inplace-lsp trace` as a person runs it: a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import inplace_lsp
from cli.commandline import FINE, HAZARD

SEVERAL = """\
import torch

w = torch.randn(4, requires_grad=True)
for i in range(3):
    try:
        w.add_(1)
    except RuntimeError:
        pass
    y = w.exp()
    y.mul_(2)
    try:
        y.sum().backward()
    except RuntimeError:
        pass
a, b = (w * 2).chunk(2)
a.add_(1)
"""
MOVED = "line 5 wrote `y` (version 0 -> 1) after `exp` on line 4 had saved it at version 0; backward on line 6 found 1"
ENVIRONMENT = {**os.environ, "COLUMNS": "160", "PYTHONPATH": str(Path(inplace_lsp.__file__).parent.parent)}


def trace(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    python = () if "--python" in arguments else ("--python", sys.executable)
    command = [sys.executable, "-m", "inplace_lsp", "trace", *python]
    return subprocess.run(
        [*command, *arguments], input=stdin, capture_output=True, text=True, cwd=folder, env=ENVIRONMENT, check=False
    )


def plain(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=folder, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bad.py").write_text(HAZARD)
    (tmp_path / "fine.py").write_text(FINE)
    return tmp_path


def test_the_error_of_torch_and_then_the_story_also_in_files(folder: Path):
    done = trace(folder, "--html", "no/such/folder.html", "--svg", "t.svg", "--json", "t.json", "bad.py")
    torch_says, _, story = done.stderr.partition("\n\n")
    assert torch_says + "\n" == plain(folder, "bad.py").stderr
    assert story.startswith(MOVED)
    assert "5     y.add_(1)" in story
    assert done.returncode == 1
    assert (folder / "t.svg").read_text(encoding="utf-8").startswith("<svg")
    assert json.loads((folder / "t.json").read_text(encoding="utf-8"))["headline"] == MOVED
    assert "The trace is in t.svg." in done.stderr
    assert "inplace-lsp: cannot write no/such/folder.html: No such file or directory" in done.stderr


def test_what_keeps_memory_is_shown_after_the_output_of_the_script(folder: Path):
    (folder / "memory.py").write_text(
        "import torch\n"
        "x = torch.rand(256, 1024, requires_grad=True)\n"
        "y = (x * 2).sigmoid()\n"
        "print('made')\n"
        "y.sum().backward()\n"
    )
    done = trace(folder, "--memory", "memory.py")
    assert (done.returncode, done.stdout) == (0, "made\n")
    first, _, *entries = done.stderr.strip().split("\n")
    assert first == "Saved for the backward on line 5 of memory.py, without parameters and buffers: 1.0 MiB"
    assert entries[0] == "   1.0 MiB  memory.py:3  y = (x * 2).sigmoid()"
    assert entries[1].strip().startswith("sigmoid saves its result ([256, 1024]): the derivative of sigmoid")
    assert entries[-1].startswith("Peak of the whole run: ")


def test_memory_is_shown_for_a_script_that_ends_by_an_error_or_an_exit(folder: Path):
    broken = trace(folder, "--memory", "bad.py")
    assert MOVED in broken.stderr
    assert "\nSaved for the backward on line 6 of bad.py" in broken.stderr
    (folder / "exit.py").write_text("import sys\nsys.exit(3)\n")
    ended = trace(folder, "--memory", "exit.py")
    assert (ended.returncode, ended.stderr.strip()) == (3, "No backward ran through a graph that keeps memory.")


def test_a_script_that_is_fine_is_as_without_us(folder: Path):
    done = trace(folder, "fine.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_arguments_input_output_status_and_surroundings_are_those_of_the_script(folder: Path):
    (folder / "echo.py").write_text(
        "import sys, os\nimport beside\n"
        "print(sys.argv, sys.stdin.read(), __name__, __file__, os.getcwd(), sys.path[0])\n"
        "print('to stderr', file=sys.stderr)\nsys.exit(7)\n"
    )
    (folder / "beside.py").write_text("")
    done = trace(folder, "echo.py", "--html", "-m", "x y", stdin="hello")
    shown = f"['echo.py', '--html', '-m', 'x y'] hello __main__ {folder}/echo.py {folder} {folder}\n"
    assert (done.returncode, done.stdout, done.stderr) == (7, shown, "to stderr\n")


def test_a_module(folder: Path):
    package = folder / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(HAZARD + "\n")
    done = trace(folder, "--html", "t.html", "-m", "package", "argument")
    assert MOVED in done.stderr
    assert done.returncode == 1
    assert (folder / "t.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_an_error_that_was_caught_is_told_of_at_the_end(folder: Path):
    text = HAZARD.replace("y.sum().backward()", "try:\n    y.sum().backward()\nexcept RuntimeError:\n    print('on')")
    (folder / "caught.py").write_text(text)
    done = trace(folder, "caught.py")
    assert (done.returncode, done.stdout) == (0, "on\n")
    assert "The program went on after this error:" in done.stderr


def test_every_error_that_was_caught_is_told_of_once(folder: Path):
    (folder / "several.py").write_text(SEVERAL)
    done = trace(folder, "several.py")
    told = [line for line in done.stderr.split("\n") if line.startswith(("torch refuses", "line "))]
    assert told == [
        "torch refuses add_ of `a` on line 16: output of a function that returns several views",
        "torch refuses add_ of `w` on line 6: leaf that requires grad",
        "line 10 wrote `y` (version 0 -> 1) after `exp` on line 9 had saved it at version 0; "
        "backward on line 12 found 1",
    ]
    assert done.stderr.count("The program went on after this error:") == 2


def test_a_thread_that_an_error_ends(folder: Path):
    text = HAZARD.replace(
        "y.sum().backward()", "import threading\nthreading.Thread(target=lambda: y.sum().backward()).start()"
    )
    (folder / "thread.py").write_text(text)
    done = trace(folder, "thread.py")
    torch_says, _, story = done.stderr.partition("\n\n")
    assert torch_says + "\n" == plain(folder, "thread.py").stderr
    assert story.startswith("The program went on after this error:\nline 5 wrote `y`")


ANOMALY = """\
import torch
from torch import nn

torch.autograd.set_detect_anomaly(True)

def step(x):
    y = nn.functional.softmax(nn.functional.normalize(x, dim=0), dim=0)
    y.add_(1)
    return y

step(torch.ones(2, requires_grad=True)).norm().backward()
"""
DETACHED = """\
import torch

torch.autograd.set_detect_anomaly(True)
y = torch.ones(2, requires_grad=True) * 2
z = y**2
y.detach_()
z.sum().backward()
"""
AT_EXIT = """\
import atexit
import torch

def finish():
    try:
        y.sum().backward()
    except RuntimeError as error:
        raise ValueError("not finished") from error

x = torch.ones(2, requires_grad=True)
y = x.exp()
y.add_(1)
atexit.register(finish)
atexit.register(y.sum().backward)
"""
WARNED = """\
import warnings
import torch

warnings.showwarning = lambda message, category, filename, line, *_: print(category.__name__, filename, line)
x = torch.ones(2, requires_grad=True).exp()
x.grad
torch.add(x.detach(), 1, out=torch.ones(3))
x.add_(1)
x.sum().backward()
"""


@pytest.mark.parametrize("text", [ANOMALY, DETACHED, AT_EXIT, WARNED], ids=["anomaly", "detach_", "atexit", "warnings"])
def test_no_frame_of_ours_is_shown(folder: Path, text: str):
    (folder / "shown.py").write_text(text)
    expected, done = plain(folder, "shown.py"), trace(folder, "shown.py")
    without_address = [re.sub(r"0x[0-9a-f]+", "0x", errors) for errors in (expected.stderr, done.stderr)]
    assert without_address[1].startswith(without_address[0])
    assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout)
    story = done.stderr[len(expected.stderr) :]
    assert "Traceback" in expected.stderr and re.search(r"line \d+ wrote `[xy]`", story)


SCRIPTED = """\
import torch

@torch.jit.script
def bump(y):
    y.add_(1)
    return y

class Bump(torch.nn.Module):
    def forward(self, y):
        return y.add_(1)

bump_too = torch.jit.script(Bump())
y = torch.ones(2, requires_grad=True).exp()
y.add_(1)
{0}
y.sum().backward()
"""


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("bump(y)", "note: TorchScript ran meanwhile (scripted.py:15): the recorder does not see what its code writes"),
        ("bump_too(y)", "note: TorchScript ran meanwhile (scripted.py:15)"),
        ("bump(torch.ones(2))", ""),
        ("y.mul(2)", ""),
    ],
)
def test_a_write_of_torchscript_is_not_seen_which_is_said(folder: Path, line: str, note: str):
    (folder / "scripted.py").write_text(SCRIPTED.format(line))
    done = trace(folder, "--json", "t.json", "scripted.py")
    assert done.returncode == 1
    assert note in done.stderr and ("note:" in done.stderr) == bool(note)
    notes = json.loads((folder / "t.json").read_text(encoding="utf-8"))["notes"]
    assert len(notes) == bool(note)


def test_what_cannot_be_watched_is_said(folder: Path):
    function = "def f(w):\n    h = w.exp()\n    h.mul_(2)\n    return h.sum()\n"
    text = f"import torch\n\n{function}\ntorch.func.grad(f)(torch.ones(2))\n"
    (folder / "inside.py").write_text(text)
    done = trace(folder, "inside.py")
    assert "What wrote was not seen" in done.stderr
    assert "a transform of torch.func (inside.py:8)" in done.stderr


def test_another_error_of_the_script(folder: Path):
    (folder / "broken.py").write_text("import torch\n\ndef f():\n    raise KeyError('mine')\n\nf()\n")
    done = trace(folder, "broken.py")
    assert (done.returncode, done.stderr) == (1, plain(folder, "broken.py").stderr)


def test_a_script_that_is_no_python(folder: Path):
    (folder / "broken.py").write_text("x = = 1\n")
    done = trace(folder, "broken.py")
    assert done.returncode == 1
    assert done.stderr == plain(folder, "broken.py").stderr


def test_a_refused_write(folder: Path):
    (folder / "leaf.py").write_text("import torch\n\nw = torch.rand(3, requires_grad=True)\nw.mul_(2)\n")
    done = trace(folder, "leaf.py")
    assert "torch refuses mul_ of `w` on line 4: leaf that requires grad" in done.stderr
    assert done.returncode == 1


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_script_that_is_killed(folder: Path):
    (folder / "killed.py").write_text("import os, signal\n\nos.kill(os.getpid(), signal.SIGKILL)\n")
    assert trace(folder, "killed.py").returncode == -signal.SIGKILL


def test_no_such_script(folder: Path):
    done = trace(folder, "nowhere.py")
    assert (done.returncode, done.stderr) == (2, "inplace-lsp: cannot run nowhere.py: no such file\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-m", "nowhere"), "cannot run nowhere: No module named nowhere"),
        (("-m", "nowhere.at.all"), "cannot run nowhere.at.all: Error while finding module specification for"),
        (("-m", "empty"), "cannot run empty: No module named empty.__main__"),
        (("empty",), "cannot run empty: can't find '__main__' module in 'empty'"),
    ],
)
def test_nothing_to_run(folder: Path, arguments: tuple[str, ...], words: str):
    (folder / "empty").mkdir()
    (folder / "empty" / "__init__.py").write_text("")
    done = trace(folder, *arguments)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"inplace-lsp: {words}")


def test_an_import_of_the_script_that_fails(folder: Path):
    (folder / "imports.py").write_text("import nowhere\n")
    done = trace(folder, "imports.py")
    assert (done.returncode, done.stderr) == (1, plain(folder, "imports.py").stderr)
    done = trace(folder, "-m", "imports")
    assert done.returncode == 1
    assert 'imports.py", line 1' in done.stderr


def test_no_such_interpreter(folder: Path):
    done = trace(folder, "--python", "/no/such/python", "bad.py")
    assert done.returncode == 2
    assert done.stderr == "inplace-lsp: cannot start /no/such/python: No such file or directory\n"


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_an_interpreter_without_torch(folder: Path):
    bare = folder / "bare"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -E "$@"\n')
    bare.chmod(0o755)
    done = trace(folder, "--python", str(bare), "bad.py")
    assert done.returncode != 0
    assert "-m pip install torch`" in done.stderr
    assert "inplace-lsp trace --python PATH" in done.stderr
    assert "Traceback" not in done.stderr
