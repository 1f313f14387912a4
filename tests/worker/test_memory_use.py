"""The memory of a run: its peak by the allocators' counters, and what is alive after each line."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from inplace_lsp.worker.memory import LiveMemory, Peak, _start_of, measure_peak
from inplace_lsp.worker.places import Places

MIB = 2**20
FILE = "/program.py"


def count_lines(text: str, **given: object) -> LiveMemory:
    counter = LiveMemory(Places(frozenset({FILE})))
    code = compile(text, FILE, "exec")
    with counter:
        exec(code, {"torch": torch, **given})
    return counter


def test_the_peak_of_the_cpu_is_what_its_allocator_gave_out() -> None:
    given = torch.ones(MIB // 4)
    with measure_peak("cpu") as peak:
        first = given + 1
        second = first * 2
        del first
        third = second + given
        del second, third
    assert peak.size == pytest.approx(2 * MIB, rel=0.01)
    assert "torch.profiler" in peak.counter


def test_an_older_torch_tells_times_in_microseconds() -> None:
    assert [_start_of(SimpleNamespace(**{name: lambda: 5})) for name in ("start_ns", "start_us")] == [5, 5]


def test_the_peak_of_a_gpu_is_that_of_its_allocator(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: asked.append(f"wait for {device}"))
    monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", lambda device: asked.append(f"reset {device}"))
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda _device: 100)
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda _device: 350)
    with measure_peak("cuda:1") as peak:
        asked.append("run")
    assert peak == Peak(250, "the allocator of cuda:1")
    assert asked == ["wait for cuda:1", "reset cuda:1", "run", "wait for cuda:1"]


def test_a_line_has_what_is_alive_after_its_ops() -> None:
    told = count_lines(
        "y = x + 1\nz = y * 2\nv = z.view(2, -1)\ny = None\nz += 1\nw = x.clone()\n", x=torch.ones(MIB // 4)
    ).describe(Peak())
    assert [(step.span.row, step.size // MIB) for step in told.steps] == [(1, 1), (2, 2), (3, 2), (5, 1), (6, 2)]


def test_what_is_alive_when_backward_begins_is_kept() -> None:
    text = "y = (x * 2).sigmoid()\nt = x.detach() + 1\nt = None\nloss = y.sum()\nloss.backward()\n"
    told = count_lines(text, x=torch.ones(MIB // 4, requires_grad=True)).describe(Peak())
    assert [(kept.span.row, kept.op, kept.shape, kept.count) for kept in told.kept if kept.size >= MIB] == [
        (1, "sigmoid", (MIB // 4,), 1)
    ]
    assert {step.walking for step in told.steps if step.span.row < 5} == {False}
    assert told.steps[-1].walking
