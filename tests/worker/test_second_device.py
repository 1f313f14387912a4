"""The worker on a device that is not the CPU's, as far as the CPU can play one, and what is decided without any."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.utils import backend_registration

from inplace_lsp.messages.answers import Answer, RunReport
from inplace_lsp.messages.job import Job, Op
from inplace_lsp.messages.signals import Hello
from inplace_lsp.tape.codec import to_plain
from inplace_lsp.tape.model import Tape
from inplace_lsp.verify.options import DeviceError, Options
from inplace_lsp.verify.verdict import judge_answer
from worker.second_device import HEAD, PROGRAMS, observe

TWO = Hello("3.12", "python", "2.13", ("cuda:0", "cuda:1"), fork=True)
PLAYED = hasattr(backend_registration, "_setup_privateuseone_for_python_backend")
"""Whether this torch lets Python play a device."""
needs_device = pytest.mark.skipif(not PLAYED, reason="this torch has no backends in Python")


@pytest.fixture(scope="module")
def runs() -> Any:
    """What came of all runs on the second device."""
    script = Path(__file__).with_name("second_device.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@needs_device
@pytest.mark.parametrize(
    ("program", "found"),
    [
        ("broken", [[4, "IP101"]]),
        ("fine", []),
        ("on the cpu", []),
        ("a leaf", [[4, "IP201"]]),
        ("back and forth", []),
    ],
)
def test_a_program_there_is_recorded_as_one_here(runs: Any, program: str, found: list[Any]) -> None:
    assert runs[program]["found"] == found
    assert bool(runs[program]["error"]) == bool(found)
    assert runs[program]["notes"] == []


@needs_device
@pytest.mark.parametrize("program", PROGRAMS)
def test_both_devices_have_the_same_findings(runs: Any, program: str) -> None:
    here = observe((HEAD + PROGRAMS[program]).replace("twin:0", "cpu"))
    if program not in ("on the cpu", "back and forth"):  # there, no copy is made
        assert here["found"] == runs[program]["found"]


@needs_device
@pytest.mark.parametrize("job", ["given tensors", "a given module"])
def test_inputs_made_here_are_moved_there(runs: Any, job: str) -> None:
    assert runs[job]["failed"] == ""
    assert "modified by an inplace operation: [twin" in runs[job]["error"]
    assert runs[job]["raised"]


@needs_device
def test_a_leaf_that_is_moved_stays_one(runs: Any) -> None:
    moved = runs["moved"]
    assert moved["devices"] == ["twin:0", "twin:0", "twin:0"]
    assert moved["leaf"]
    assert moved["there"]
    assert moved["text"] == "a text"


@pytest.mark.parametrize(
    ("asked", "device"), [("auto", "cuda:0"), ("cuda", "cuda:0"), ("cuda:1", "cuda:1"), ("cpu", "cpu")]
)
def test_one_of_several_devices_is_chosen(asked: str, device: str) -> None:
    assert Options(device=asked).choose_device(TWO) == device
    assert Job(Op.VERIFY, "", "", "f", 1.0, device=device).on_cuda == device.startswith("cuda")


def test_a_device_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(DeviceError, match="cuda:2 was asked for, but the worker has cuda:0, cuda:1; use --device cpu"):
        Options(device="cuda:2").choose_device(TWO)


@pytest.mark.parametrize("error", ["CUDA out of memory. Tried to allocate 2.00 GiB", "HIP out of memory."])
def test_a_device_without_memory_decides_nothing(error: str) -> None:
    recorded = RunReport(tape=json.dumps(to_plain(Tape("f", ()))))
    found = judge_answer(Answer(plain=RunReport(f"torch.OutOfMemoryError: {error}"), recorded=recorded))
    assert found.verdict == "inconclusive"
    assert "memory" in found.why


def test_tensors_that_only_look_like_those_of_a_gpu_are_named_as_torch_names_them() -> None:
    """Fake tensors have a device and no data; where they need gradients, torch 2.13 ends the process."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        made = torch.empty(3, device="cuda")
        made.add_(1)
    assert (made.type(), str(made.device), made._version) == ("torch.cuda.FloatTensor", "cuda:0", 1)
