"""Code that does its worst: every verify ends in time with a clear word, and the next one works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Launch
from inplace_lsp.verify.options import Options
from inplace_lsp.worker.processes import PATIENCE
from inplace_lsp.worker.serve import SPARES
from verify.ways import becomes_true, verdict

DEADLINE = 3.0
OPTIONS = Options(device="cpu", deadline=DEADLINE, memory=1 << 29)
RUNS = int(os.environ.get("INPLACE_LSP_RUNS", "40"))
"""So many runs are made in a row; `make fuzz` makes 200."""
BRIEF = Options(device="cpu", deadline=0.5)
"""For what would never end by itself."""

FINE = "import torch\n\ndef f():\n    return torch.rand(2, requires_grad=True).exp()\n"

FAULTS = {
    "segmentation fault": ("import ctypes; ctypes.string_at(0)", "its process died: segmentation fault, on line 4"),
    "abort": ("import os; os.abort()", "its process died: aborted"),
    "killed by itself": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "its process died: killed"),
    "endless loop": ("while True: pass", "it was still running after 0.5 s, on line 4"),
    "endless loop that ignores the request to end": (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    while True: pass",
        "it was still running after 0.5 s",
    ),
    "sleep": ("import time; time.sleep(1000)", "it was still running after 0.5 s, on line 4"),
    "deadlock": ("import threading; l = threading.Lock(); l.acquire(); l.acquire()", "was still running after 0.5 s"),
    "sys.exit": ("import sys; sys.exit(3)", "the code called sys.exit(3)"),
    "os._exit": ("import os; os._exit(7)", "its process ended with exit status 7 before the run was over"),
    "memory": ("x = torch.zeros(1 << 40)", "it ran out of memory (--memory-limit allows more): RuntimeError: "),
    "memory bit by bit": ("x = []\n    while True: x.append(torch.ones(1 << 24))", "it ran out of memory"),
    "memory of Python": ("x = [0] * (1 << 36)", "it ran out of memory (--memory-limit allows more): MemoryError"),
    "recursion": ("f()", "the code fails for another reason: RecursionError"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt('now')", "the code raised KeyboardInterrupt: now"),
    "its own BaseException": (
        "class Stop(BaseException): pass\n    raise Stop('here')",
        "the code raised Stop: here",
    ),
    "fork": ("import os\n    while True: os.fork()", "a verify run may not use a new process (os.fork)"),
    "system": ("import os; os.system('sleep 100')", "a verify run may not use a new process (os.system)"),
    "network": ("import socket; socket.create_connection(('127.0.0.1', 9))", "--allow-network lets it"),
    "write": ("open('/tmp/inplace-lsp-wall', 'w')", "--allow-write lets it"),
    "remove": (f"import os; os.remove({__file__!r})", "--allow-write lets it"),
    "signal": ("import os; os.kill(os.getppid(), 9)", "--allow-signal lets it"),
    "input": ("input('name? ')", "the code fails for another reason: EOFError"),
}


def _longest_wait() -> float:
    """Return the seconds that a verify may take: ten more than its limits, where nothing else is to do."""
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    return (DEADLINE * (1 + PATIENCE) + 10.0) * max(1.0, load)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_survived(client: Client, name: str) -> None:
    body, reason = FAULTS[name]
    client.hello()
    started = time.monotonic()
    options = BRIEF if "still running" in reason else OPTIONS
    answer = verdict(client, f"import torch\n\ndef f():\n    {body}\n", "f", options=options)
    assert time.monotonic() - started < _longest_wait()
    assert answer.verdict == "inconclusive"
    assert answer.reason.startswith("inconclusive: ")
    assert reason in answer.reason
    assert verdict(client, FINE, "f", options=OPTIONS).verdict == "not-reproduced"


def test_a_fork_bomb_leaves_nothing(client: Client) -> None:
    bomb = """
    import os, time

    def f():
        for _ in range(4):
            os.fork()
        os.setsid() if os.fork() == 0 else None
        time.sleep(1000)
    """
    before = processes() - spares(client)
    started = time.monotonic()
    options = Options(device="cpu", deadline=DEADLINE, allow=("subprocess",))
    answer = verdict(client, bomb, "f", options=options)
    assert time.monotonic() - started < _longest_wait()
    assert answer.reason == "inconclusive: it was still running after 3 s, on line 8"
    assert becomes_true(lambda: processes() - spares(client) <= before)


def test_floods_are_cut(client: Client) -> None:
    answer = verdict(client, "for _ in range(200_000): print('x' * 99)\n", options=OPTIONS)
    assert answer.verdict == "not-reproduced"
    assert len(answer.output) < 70_000
    assert answer.output.endswith("... and 19934464 bytes more\n")


def test_closed_streams_do_no_harm(client: Client) -> None:
    closing = "import os, sys\nsys.stdout.close()\nos.close(1)\nos.close(2)\nos.closerange(0, 3)\n"
    assert verdict(client, closing, options=OPTIONS).verdict == "not-reproduced"
    everything = verdict(client, "import os\nos.closerange(0, 1000)\n", options=OPTIONS)
    assert everything.verdict == "not-reproduced"
    assert verdict(client, FINE, "f", options=OPTIONS).verdict == "not-reproduced"


def test_what_is_printed_cannot_break_the_protocol(client: Client) -> None:
    fake = 'import os\nos.write(1, b\'{"op": "result", "id": 1}\\n\')\nprint("\\ud800", "\\x00")\n'
    answer = verdict(client, fake, options=OPTIONS)
    assert '{"op": "result", "id": 1}' in answer.output


def test_allowed_is_allowed(client: Client, tmp_path: Path) -> None:
    text = f"open({str(tmp_path / 'made')!r}, 'w').write('x')\nimport subprocess\nsubprocess.run(['true'])\n"
    options = Options(device="cpu", deadline=DEADLINE, allow=("write", "subprocess"))
    assert verdict(client, text, options=options).verdict == "not-reproduced"
    assert (tmp_path / "made").read_text() == "x"


def test_a_run_has_a_folder_of_its_own(client: Client) -> None:
    text = "import os, tempfile\nopen('made', 'w').write('x')\nprint(os.getcwd(), tempfile.mkdtemp())\n"
    answer = verdict(client, text, options=OPTIONS)
    assert answer.verdict == "not-reproduced"
    here, below = answer.output.split()
    assert below.startswith(here)
    assert not Path(here).exists()


def test_many_in_a_row_leave_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    stale = tmp_path / "inplace-lsp-left"
    stale.mkdir()
    os.utime(stale, (0, 0))
    with Client(Launch(sys.executable)) as client:
        verdict(client, FINE, "f")
        worker = client_pid(client)

        def count_held() -> tuple[set[int], int, int]:
            return processes() - spares(client), descriptors(worker), descriptors(os.getpid())

        before = count_held()
        for _ in range(RUNS):
            answer = verdict(client, FINE, "f")
            assert answer.verdict == "not-reproduced", answer.reason
        assert becomes_true(lambda: count_held() == before), (count_held(), before)
        assert becomes_true(lambda: not list(tmp_path.glob("inplace-lsp-*")))
        waiting = spares(client)
    assert becomes_true(lambda: not ({worker} | waiting) & processes())
    assert becomes_true(lambda: not any(Path(f"/proc/{pid}").exists() for pid in waiting))


def test_a_waiting_process_that_dies_is_replaced(client: Client) -> None:
    verdict(client, FINE, "f")
    for pid in spares(client):
        os.kill(pid, signal.SIGKILL)
        while ") Z " not in Path(f"/proc/{pid}/stat").read_text():
            time.sleep(0.02)
    for _ in range(2):
        assert verdict(client, FINE, "f").verdict == "not-reproduced"


def client_pid(client: Client) -> int:
    assert client._pipe is not None
    return client._pipe._process.pid


def spares(client: Client) -> set[int]:
    """The processes that wait for the next job, once they are there."""
    worker = client_pid(client)
    end = time.monotonic() + 180
    while len(found := children(worker)) != SPARES:
        assert time.monotonic() < end, found
        time.sleep(0.02)
    return found


def processes() -> set[int]:
    """This process's descendants."""
    found, waiting = set(), [os.getpid()]
    while waiting:
        pid = waiting.pop()
        fresh = children(pid) - found
        waiting.extend(fresh)
        found |= fresh
    return found


def children(pid: int) -> set[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return {int(pid) for task in tasks for pid in (task / "children").read_text().split()}
    except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
        return set()


def descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


HUGE = 128 << 20
SAID = {
    "an exception without words": (
        "class Mute(Exception):\n        def __str__(self): raise KeyError\n    raise Mute",
        "the code fails for another reason: Mute, whose message cannot be shown: its __str__ raises KeyError",
    ),
    "an exception whose words end the program": (
        "class Mute(Exception):\n        def __str__(self): raise SystemExit\n    raise Mute",
        "the code fails for another reason: Mute, whose message cannot be shown: its __str__ raises SystemExit",
    ),
    "an exception without a name": (
        "class Nameless(type):\n        @property\n        def __name__(self): raise KeyError\n"
        "    class Mute(Exception, metaclass=Nameless): pass\n    raise Mute('so')",
        "the code fails for another reason: Mute: so",
    ),
    "an exception with very many words": (
        f"raise ValueError('x' * {HUGE})",
        f" ... and {HUGE - 4000 + len('ValueError: ')} characters more",
    ),
    "a way out without words": (
        "class Mute(BaseException):\n        def __str__(self): raise KeyError\n    raise Mute",
        "the code raised Mute, whose message cannot be shown: its __str__ raises KeyError",
    ),
    "descriptors closed behind our back": (
        "import ctypes\n    [ctypes.CDLL(None).close(fd) for fd in range(3, 5000)]",
        "the code closed the file descriptor through which a run reports its result",
    ),
    "descriptors that lead elsewhere": (
        "import ctypes, os\n    [ctypes.CDLL(None).close(fd) for fd in range(3, 5000)]\n"
        "    [open(f'mine{n}', 'w') for n in range(2)]\n    [os.dup2(1, fd) for fd in range(3, 5000)]",
        "the code closed the file descriptor through which a run reports its result",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_what_cannot_be_told_is_said(client: Client, name: str) -> None:
    body, reason = SAID[name]
    client.hello()
    worker = client_pid(client)
    answer = verdict(client, f"import torch\n\ndef f():\n    {body}\n", "f", options=OPTIONS)
    assert answer.verdict == "inconclusive"
    assert answer.reason.partition(" (at ")[0].endswith(reason)
    assert client_pid(client) == worker


def test_a_job_that_reaches_its_deadline_keeps_the_worker(client: Client) -> None:
    assert verdict(client, FINE, "f").verdict == "not-reproduced"
    worker = client_pid(client)
    endless = verdict(client, "while True: pass\n", options=BRIEF)
    assert endless.reason == "inconclusive: it was still running after 0.5 s, on line 1"
    assert client_pid(client) == worker


HOST = """
import sys, time
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Launch
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import module

with Client(Launch(sys.executable)) as client:
    client.hello()
    print(client._pipe._process.pid, flush=True)
    if {warm}:
        verify(Subject("x = 1", "/nowhere/a.py", module("x = 1")), client, Options(device="cpu"))
    text = "import os, time\\nif os.fork() == 0: os.setsid()\\ntime.sleep(1000)"
    print("now", flush=True)
    verify(Subject(text, "/nowhere/b.py", module(text)), client, Options("cpu", 100.0, allow=("subprocess",)))
"""


@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_host_that_is_killed_leaves_nothing(tmp_path: Path, warm: bool, number: signal.Signals) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", HOST.format(warm=warm)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        worker = int(host.stdout.readline())
        assert host.stdout.readline() == "now\n"
        time.sleep(1)  # in the middle of what is loaded, or of the run
        host.send_signal(number)
        host.wait()
        end = time.monotonic() + 30  # by itself it would take a thousand
        while in_session(worker) or list(tmp_path.glob("inplace-lsp-*")):
            assert time.monotonic() < end, (in_session(worker), list(tmp_path.iterdir()))
            time.sleep(0.05)


def in_session(worker: int) -> list[int]:
    """The worker, and the processes that run with its folder for temporary files."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if worker in (int(entry.name), int(parent)):
                found.append(int(entry.name))
    return found


SLOW_TO_RECORD = """
import time
import torch

def f(x):
    y = x.exp()
    if torch._C._len_torch_function_stack():  # the recorder has a mode there
        time.sleep(2.5)
    {line}
    return y
"""


@pytest.mark.parametrize(("line", "expected"), [("y += 1", "confirmed"), ("y = y + 1", "inconclusive")])
def test_a_run_is_recorded_for_longer_once_torch_has_raised(client: Client, line: str, expected: str) -> None:
    answer = verdict(client, SLOW_TO_RECORD.replace("{line}", line), "f", options=Options(device="cpu", deadline=1.5))
    assert answer.verdict == expected, answer.reason


def test_what_the_main_guard_binds_under_the_name_of_a_local_variable_is_not_made(client: Client) -> None:
    text = """
        import time
        import torch

        SCALE = 1

        def f(x):
            output = x.exp()
            output += SCALE + offset
            return output

        if __name__ == "__main__":
            offset = 2
            output = time.sleep(100)
            print(output)
        """
    answer = verdict(client, text, "f", options=Options(device="cpu", deadline=3.0))
    assert answer.verdict == "confirmed", answer.reason
