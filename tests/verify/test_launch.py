"""Workers in other interpreters and places: chosen, started through other commands, missing, lost."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from textwrap import dedent

import pytest

from inplace_lsp.verify import interpreter
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Launch, LaunchError, start_worker
from inplace_lsp.verify.options import DeviceError, Options
from verify.ways import verdict

TEXT = "import torch\n\ndef f():\n    return torch.rand(2, requires_grad=True).exp().add_(1)\n"


def script(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n" + dedent(text))
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    "stand_in",
    [
        'echo "Welcome to the machine"; echo "{}"; shift; exec sh -c "$*"',
        'shift; exec "$@"',
    ],
    ids=["ssh: a greeting, and a shell that reads the command again", "docker: the words as they are"],
)
def test_a_launch_command(tmp_path: Path, stand_in: str) -> None:
    """The interpreter there has nothing of ours: `-P` and an empty PYTHONPATH keep this checkout out of its sight."""
    python = script(tmp_path, "python", f'unset PYTHONPATH\nexec {sys.executable} -I "$@"\n')
    away = script(tmp_path, "away", stand_in)
    with Client(Launch.parse(python, f"{away} host")) as client:
        assert verdict(client, TEXT, "f").verdict == "confirmed"


@pytest.mark.parametrize(
    ("stand_in", "words"),
    [
        ("echo no such host >&2; exit 255", "could not be started: no such host"),
        ("exit 3", "could not be started: exit status 3"),
    ],
)
def test_a_launch_command_that_fails(tmp_path: Path, stand_in: str, words: str) -> None:
    with pytest.raises(LaunchError, match=words):
        start_worker(Launch.parse("python", script(tmp_path, "away", stand_in)))


def test_an_interpreter_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match=r"cannot start .*/python: No such file"):
        start_worker(Launch(str(tmp_path / "python")))


def test_an_interpreter_without_torch(tmp_path: Path) -> None:
    """`-S` takes site-packages away."""
    python = script(tmp_path, "python", f'unset PYTHONPATH\nexec {sys.executable} -S "$@"\n')
    with pytest.raises(LaunchError, match=r"\(Python 3.*\) cannot verify: it has no torch"):
        start_worker(Launch(python))


def test_a_torch_that_is_too_old(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("__version__ = '1.13.1'\n")
    python = script(tmp_path, "python", f'PYTHONPATH={tmp_path} exec {sys.executable} "$@"\n')
    with pytest.raises(LaunchError, match=r"its torch is 1\.13\.1; verify needs 2\.1 or newer"):
        start_worker(Launch(python))


def test_a_command_that_never_answers(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match=r"did not answer within 0\.3 s"):
        start_worker(Launch(script(tmp_path, "python", "exec sleep 100")), seconds=0.3)


def test_another_protocol(tmp_path: Path) -> None:
    hello = '{"op": "hello", "protocol": 99, "python": "3.12", "torch": "2.9", "cuda": [], "fork": true, "error": null}'
    python = script(tmp_path, "python", f"echo '{hello}'; sleep 100")
    with pytest.raises(LaunchError, match="the worker speaks protocol 99, this program 3"):
        start_worker(Launch(python))


def test_a_worker_that_is_lost_is_started_again() -> None:
    with Client(Launch(sys.executable)) as client:
        client.hello()
        assert client._pipe is not None
        os.kill(client._pipe._process.pid, 9)
        client._pipe._process.wait()
        assert verdict(client, TEXT, "f").verdict == "confirmed"
        killing = "import os\n\ndef f():\n    os.kill(os.getppid(), 9)\n"
        lost = verdict(client, killing, "f", options=Options(device="cpu", allow=("signal",)))
        assert lost.reason == "inconclusive: the worker ended: exit status -9"
        assert verdict(client, TEXT, "f").verdict == "confirmed"


def test_a_run_can_be_cancelled(client: Client) -> None:
    from inplace_lsp.verify.prove import Subject, verify
    from inplace_lsp.verify.target import target_by_name

    text = "def f():\n    while True: pass\n"
    client.hello()
    gone = threading.Event()
    threading.Timer(0.5, gone.set).start()
    subject = Subject(text, "/nowhere/loop.py", target_by_name(text, "f"))
    started = time.monotonic()
    answer = verify(subject, client, Options(device="cpu", deadline=100.0), gone.is_set)
    assert (answer.verdict, answer.reason) == ("inconclusive", "inconclusive: cancelled")
    assert time.monotonic() - started < 50
    assert verdict(client, TEXT, "f").verdict == "confirmed"


def test_a_fresh_interpreter_a_run_says_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is done for CUDA, and where a process cannot be forked."""
    python = script(tmp_path, "python", f'exec {sys.executable} -c "import os; del os.fork; exec(input())"\n')
    with Client(Launch(python)) as client:
        assert client.hello().fork is False
        answer = verdict(client, TEXT, "f")
        assert (answer.verdict, answer.violations[0].written.row) == ("confirmed", 4)
        brief = verdict(client, TEXT, "f", options=Options(device="cpu", deadline=1))  # torch takes longer to load
        assert (brief.verdict, brief.reason) == ("confirmed", answer.reason)
        late = verdict(client, "while True: pass\n", options=Options(device="cpu", deadline=1))
        assert late.reason == "inconclusive: it was still running after 1 s, on line 1"


def test_the_device(client: Client) -> None:
    cuda = client.hello().cuda
    assert Options(device="auto").choose_device(client.hello()) == (cuda[0] if cuda else "cpu")
    with pytest.raises(DeviceError, match="'tpu' is not a device; use auto, cpu, cuda or cuda:N"):
        Options(device="tpu").choose_device(client.hello())
    with pytest.raises(DeviceError, match=r"cuda:99 was asked for, but the worker has .*use --device cpu or auto"):
        Options(device="cuda:99").choose_device(client.hello())


def environment_folder(folder: Path) -> Path:
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("")
    python.chmod(0o755)
    return python


def test_the_choice_of_the_interpreter(tmp_path: Path) -> None:
    file = str(tmp_path / "pack" / "file.py")
    (tmp_path / "pack").mkdir()
    own, active = environment_folder(tmp_path / ".venv"), environment_folder(tmp_path / "active")
    assert (
        interpreter.choose_interpreter(file, "/some/python", {"VIRTUAL_ENV": str(active.parent.parent)})
        == "/some/python"
    )
    assert interpreter.choose_interpreter(file, None, {"VIRTUAL_ENV": str(tmp_path / "active")}) == str(active)
    assert interpreter.choose_interpreter(file, None, {"VIRTUAL_ENV": str(tmp_path / "gone")}) == str(own)
    assert interpreter.choose_interpreter(file, None, {}) == str(own)
    on_path = script(tmp_path, "python3", "exit 0")
    elsewhere = "/file.py"
    assert interpreter.choose_interpreter(elsewhere, None, {"PATH": str(tmp_path)}) == on_path
    script(tmp_path, "python3", "exit 1")
    assert interpreter.choose_interpreter(elsewhere, None, {"PATH": str(tmp_path)}) == sys.executable


@pytest.mark.skipif(sys.platform != "linux", reason="the states of processes are read from Linux's /proc")
def test_a_worker_stopped_while_it_starts_is_told_soon(tmp_path: Path) -> None:
    python = script(tmp_path, "python", "kill -STOP $$")
    began = time.monotonic()
    with pytest.raises(LaunchError, match="was stopped, by a signal or a debugger, and was ended"):
        start_worker(Launch(python))
    assert time.monotonic() - began < 30
