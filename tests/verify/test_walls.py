"""What stands round a run besides its folder: capabilities, System V objects, the network, signals, the environment."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from inplace_lsp.messages.environment import needed_environment
from inplace_lsp.verify import interpreter
from inplace_lsp.verify.as_json import as_json
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Launch
from inplace_lsp.verify.options import Options
from inplace_lsp.worker import kernel, processes
from inplace_lsp.worker.serve import GRACE, _ask_to_end
from verify.test_faults import client_pid
from verify.ways import verdict

OPTIONS = Options(device="cpu", deadline=10.0)
HEAD = "import ctypes, os, socket, sys, torch\nlibc = ctypes.CDLL(None, use_errno=True)\n\n\ndef f():\n    "

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what the kernel offers is Linux's")


def walls(client: Client) -> str:
    notes: list[str] = as_json(verdict(client, "x = 1\n"))["notes"]  # type: ignore[assignment]
    return notes[-1]


def needs(client: Client, wall: str) -> None:
    if wall not in walls(client):
        pytest.skip(f"this machine has none: {walls(client)}")


def test_c_code_finds_no_way_out_of_its_namespace(client: Client, tmp_path: Path) -> None:
    needs(client, kernel.NAMESPACE)
    for pid in ("os.getppid()", str(os.getpid())):
        file = tmp_path / "escaped"
        ways = (
            f"libc.open(f'/proc/{{{pid}}}/root{file}'.encode(), 0o101, 0o644)",
            f"at = libc.open(f'/proc/{{{pid}}}/ns/mnt'.encode(), 0); libc.setns(at, 0);"
            f"libc.open({str(file)!r}.encode(), 0o101, 0o644)",
            "libc.umount2(b'/', 2); libc.mount(b'none', b'/', None, 4096 | 32, None);"
            f"libc.open({str(file)!r}.encode(), 0o101, 0o644)",
        )
        for way in ways:
            answer = verdict(client, f"{HEAD}{way}\n", "f", options=OPTIONS)
            assert answer.verdict == "not-reproduced", answer.reason
            assert not file.exists()


def test_a_run_of_roots_has_no_capabilities_but_to_read(client: Client) -> None:
    text = HEAD + "print([line for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapBnd'))])\n"
    effective, bound = verdict(client, text, "f", options=OPTIONS).output.split(",")
    assert int(effective.split("\\t")[1].split("\\n")[0], 16) in (0, 1 << 2)
    if os.geteuid() == 0:
        assert int(bound.split("\\t")[1].split("\\n")[0], 16) == 0


@pytest.mark.parametrize(
    "make", ["libc.shmget(0x5EED, 4096, 0o1666)", "libc.semget(0x5EED, 1, 0o1666)", "libc.msgget(0x5EED, 0o1666)"]
)
def test_system_v_objects_end_with_the_run(client: Client, make: str) -> None:
    needs(client, kernel.IPC_NAMESPACE)
    before = system_v()
    assert verdict(client, f"{HEAD}assert {make} >= 0\n", "f", options=OPTIONS).verdict == "not-reproduced"
    assert system_v() == before


def system_v() -> list[str]:
    return [row for kind in ("shm", "sem", "msg") for row in Path(f"/proc/sysvipc/{kind}").read_text().splitlines()]


def test_c_code_reaches_no_network(client: Client) -> None:
    needs(client, kernel.NETWORK_NAMESPACE)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        address = (2).to_bytes(2, sys.byteorder) + port.to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)
        text = f"{HEAD}print('connected', libc.connect(libc.socket(2, 1, 0), {address!r}, 16))\n"
        answer = verdict(client, text, "f", options=OPTIONS)
        assert "connected -1" in answer.output
        with pytest.raises(TimeoutError):
            server.accept()


def test_c_code_sends_no_signal_outside(client: Client) -> None:
    needs(client, kernel.SIGNAL_SCOPE)
    text = f"{HEAD}print(libc.kill(os.getppid(), 19), libc.kill({os.getpid()}, 0))\n"
    assert verdict(client, text, "f", options=OPTIONS).output == "-1 -1\n"


def test_what_is_allowed_has_no_wall(client: Client) -> None:
    options = Options(device="cpu", deadline=10.0, allow=("write", "network", "signal"))
    held = verdict(client, "x = 1\n", options=options).held_back_by
    assert not {kernel.NAMESPACE, kernel.LANDLOCK, kernel.NETWORK_NAMESPACE, kernel.SIGNAL_SCOPE} & set(held)


def test_a_run_knows_no_secrets_of_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MY_TOKEN", "AWS_SECRET_ACCESS_KEY", "HF_TOKEN", "SSH_AUTH_SOCK", "DATA"):
        monkeypatch.setenv(name, "hush-hush")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("INPLACE_LSP_PASS_ENV", "ROOT_OF_DATA, OTHER")
    monkeypatch.setenv("ROOT_OF_DATA", "here")
    text = (
        "import os\n\ndef f():\n    known = [open(f'/proc/{pid}/environ', 'rb').read() for pid in ('self',)]\n"
        "    print('hush' in repr(dict(os.environ)), b'hush' in b''.join(known), os.environ['OMP_NUM_THREADS'],"
        " os.environ['ROOT_OF_DATA'])\n"
    )
    with Client(Launch(sys.executable)) as client:
        assert verdict(client, text, "f", options=OPTIONS).output == "False False 1 here\n"
    with Client(Launch(sys.executable, ("env",))) as client:  # what starts it elsewhere may need all of it
        assert verdict(client, text, "f", options=OPTIONS).output.startswith("False ")


def test_the_environment_of_a_run() -> None:
    given = {"PATH": "a", "HF_HOME": "b", "HF_TOKEN": "c", "CUDA_VISIBLE_DEVICES": "0", "OPENAI_API_KEY": "d", "X": "e"}
    assert set(needed_environment(given)) == {"PATH", "HF_HOME", "CUDA_VISIBLE_DEVICES"}
    assert set(needed_environment({**given, "INPLACE_LSP_PASS_ENV": "X"})) == {
        *("PATH", "HF_HOME", "CUDA_VISIBLE_DEVICES", "X", "INPLACE_LSP_PASS_ENV")
    }


def test_a_stopped_worker_is_told_soon() -> None:
    with Client(Launch(sys.executable)) as client:
        assert verdict(client, "x = 1\n", options=OPTIONS).verdict == "not-reproduced"
        worker = client_pid(client)
        timer = threading.Timer(0.5, os.kill, (worker, signal.SIGSTOP))
        timer.start()
        started = time.monotonic()
        answer = verdict(client, "while True: pass\n", options=Options(device="cpu", deadline=3.0))
        assert answer.reason == "inconclusive: the worker was stopped, by a signal or a debugger, and was ended"
        assert time.monotonic() - started < 8
        assert verdict(client, "x = 1\n", options=OPTIONS).verdict == "not-reproduced"


def test_waiting_for_a_processor_is_forgiven_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "signal_group", lambda *_: None)

    class Waiting:
        pid, deadline, patience, late = 0, 0.0, 9.0, False

    process = Waiting()
    began = time.monotonic()
    _ask_to_end([process])  # type: ignore[list-item]
    assert process.late
    assert process.patience == 0
    assert began + GRACE <= process.deadline <= time.monotonic() + GRACE


@pytest.mark.parametrize("name", ["torch.Tensor.backward", "torch.autograd.backward"])
def test_a_backward_that_is_replaced_is_not_taken_for_none(client: Client, name: str) -> None:
    text = f"import torch\n\ndef f():\n    {name} = lambda *_, **__: None\n"
    text += "    y = torch.rand(2, requires_grad=True).exp()\n"
    quiet = verdict(client, f"{text}    y.sum().backward()\n    return None\n", "f", options=OPTIONS)
    if name == "torch.Tensor.backward":
        assert (
            quiet.reason
            == f"inconclusive: the code has replaced `{name}`, and no call of torch's own backward was seen"
        )
    assert verdict(client, f"{text}    y.add_(1)\n    return y\n", "f", options=OPTIONS).verdict == "confirmed"


@pytest.mark.parametrize("path", [None, ":/somewhere"])
def test_no_file_of_the_current_folder_runs_outside_the_walls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str | None
) -> None:
    told = tmp_path / "executed"
    for module in ("queue", "json", "base64", "signal", "selectors", "torch"):
        (tmp_path / f"{module}.py").write_text(f"open({str(told)!r}, 'w').close()\nraise SystemExit\n")
    monkeypatch.chdir(tmp_path)
    if path is not None:
        monkeypatch.setenv("PYTHONPATH", path)
    with Client(Launch(sys.executable)) as client:
        assert verdict(client, "x = 1\n", options=OPTIONS).verdict == "not-reproduced"
    assert not told.exists()


def test_a_run_finds_what_the_environment_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text("VALUE = 3\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Client(Launch(sys.executable)) as client:
        assert verdict(client, "import mine\nprint(mine.VALUE)\n", options=OPTIONS).output == "3\n"


def test_whether_there_is_torch_is_asked_without_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text("")
    monkeypatch.chdir(tmp_path)
    bare = Path(sys.base_prefix) / "bin" / "python3"
    with_torch = subprocess.run([bare, "-I", "-c", "import torch"], capture_output=True, check=False).returncode == 0
    assert interpreter._has_torch(str(bare)) == with_torch
