"""Where there is a GPU: inputs are found on the CPU, and the GPU is used for the last run alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inplace_lsp.messages.answers import Answer
from inplace_lsp.messages.job import Job, Op
from inplace_lsp.messages.signals import Hello
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Cancelled, Launch, never_cancelled
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import target_by_name
from inplace_lsp.verify.verdict import Verdict

BROKEN = """\
import torch


def step(x):
    y = x.exp()
    y.add_(1)
    return y.sum()


step(torch.rand(3, requires_grad=True)).backward()
"""
FINE = BROKEN.replace("y.add_(1)", "y = y + 1")


class ClientWithGpu(Client):
    """Says that its worker has a GPU; what is to run there runs on the CPU, and is noted."""

    def __init__(self, launch: Launch) -> None:
        super().__init__(launch)
        self.devices: list[str] = []

    def hello(self, cancelled: Cancelled = never_cancelled) -> Hello:
        return replace(super().hello(cancelled), cuda=("cuda:0",))

    def run(self, job: Job, cancelled: Cancelled = never_cancelled) -> Answer:
        if job.op is Op.VERIFY:
            self.devices.append(job.device)
        return super().run(replace(job, device="cpu") if job.on_cuda else job, cancelled)


@pytest.fixture(scope="module")
def worker() -> Iterator[ClientWithGpu]:
    with ClientWithGpu(Launch(sys.executable)) as client:
        yield client


def verify_step(worker: ClientWithGpu, folder: Path, text: str, device: str) -> Verdict:
    file = folder / "program.py"
    file.write_text(text, encoding="utf-8")
    worker.devices.clear()
    target = target_by_name(text, "step")
    return verify(Subject(text, str(file), target), worker, Options(device=device))


def test_what_shows_on_the_cpu_needs_no_gpu(worker: ClientWithGpu, tmp_path: Path) -> None:
    verdict = verify_step(worker, tmp_path, BROKEN, "auto")
    assert (verdict.verdict, verdict.device) == ("confirmed", "cpu")
    assert set(worker.devices) == {"cpu"}


def test_what_does_not_show_there_is_tried_on_the_gpu_once(worker: ClientWithGpu, tmp_path: Path) -> None:
    verdict = verify_step(worker, tmp_path, FINE, "auto")
    assert (verdict.verdict, verdict.device) == ("not-reproduced", "cpu")
    assert worker.devices.count("cuda:0") == 1


@pytest.mark.parametrize(("text", "expected"), [(BROKEN, "confirmed"), (FINE, "not-reproduced")])
def test_a_gpu_that_is_asked_for_has_the_last_word(
    worker: ClientWithGpu, tmp_path: Path, text: str, expected: str
) -> None:
    verdict = verify_step(worker, tmp_path, text, "cuda")
    assert (verdict.verdict, verdict.device) == (expected, "cuda:0")
    assert worker.devices[-1] == "cuda:0"
    assert worker.devices.count("cuda:0") == 1


def test_a_run_on_the_cpu_finds_no_cuda(worker: ClientWithGpu, tmp_path: Path) -> None:
    text = BROKEN.replace("y = x.exp()", "assert torch.cuda.device_count() == 0\n    y = x.exp()")
    assert verify_step(worker, tmp_path, text, "cpu").verdict == "confirmed"
