"""What a graph keeps until backward: counted here once more, by torch's own hooks and without the recorder."""

from __future__ import annotations

import pytest
import torch

from inplace_lsp.report.kept_memory import describe_kept_memory
from inplace_lsp.tape.kept_memory import KeptMemory
from inplace_lsp.worker.script.memory import MemoryMeter
from inplace_lsp.worker.script.watch import Watch
from worker.test_script import run

NET = """\
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4, track_running_stats=False)

    def forward(self, x):
        return x + torch.sigmoid(self.norm(self.conv(x)))


blocks = nn.Sequential(Block(), Block())
x = torch.rand(2, 4, 16, 16)
"""
BYTES = 2 * 4 * 16 * 16 * 4
"""Of one activation of `NET`."""
ENDINGS = {
    "one backward": "blocks(x).sum().backward()",
    "a loop": "for _ in range(3):\n    blocks(x).sum().backward()",
    "autograd.grad": "torch.autograd.grad(blocks(x).sum(), list(blocks.parameters()))",
    "the largest of three": (
        "blocks[0](x).sum().backward()\nblocks(x).square().sum().backward()\nblocks[1](x).sum().backward()"
    ),
    "a checkpoint": "checkpoint(blocks[0], x.requires_grad_(), use_reentrant=False).sum().backward()",
    "a graph beside": "kept = blocks(x).exp()\nblocks(x).sum().backward()",
    "under no_grad": "with torch.no_grad():\n    blocks(x)\n(blocks[0].conv.weight * 2).sum().backward()",
    "parts of one tensor": "(x[0].requires_grad_() * x[1]).sum().backward()",
}


def measure(text: str) -> KeptMemory:
    meter = MemoryMeter()
    error, _, _ = run(text, "/measured.py", Watch(meter=meter))
    assert not error
    return meter.report(None)


def count_saved(text: str) -> int:
    """Return the bytes that all graphs of a program keep at most when one of its backwards begins."""
    saved: dict[int, tuple[int, bool]] = {}
    largest = [0]

    class Saved:
        def __init__(self, tensor: torch.Tensor) -> None:
            self.tensor = tensor.detach()
            storage = tensor.untyped_storage()
            owner = tensor if tensor._base is None else tensor._base
            saved[id(self)] = storage.nbytes(), owner.is_leaf and owner.requires_grad
            self.storage = storage._cdata
            places.setdefault(self.storage, set()).add(id(self))

        def __del__(self) -> None:
            places[self.storage].discard(id(self))

    places: dict[int, set[int]] = {}
    engine = torch.autograd.Variable._execution_engine

    class Engine:
        def __getattr__(self, name: str) -> object:
            return getattr(engine, name)

        def run_backward(self, *args: object, **options: object) -> object:
            alive = [[saved[key] for key in keys] for keys in places.values() if keys]
            sizes = [kept[0][0] for kept in alive if not any(lasting for _, lasting in kept)]
            largest[0] = max(largest[0], sum(sizes))
            return engine.run_backward(*args, **options)

    torch.autograd.Variable._execution_engine = Engine()
    try:
        with torch.autograd.graph.saved_tensors_hooks(Saved, lambda kept: kept.tensor):
            error, _, _ = run(text, "/counted.py")
    finally:
        torch.autograd.Variable._execution_engine = engine
    assert not error
    return largest[0]


@pytest.mark.parametrize("ending", ENDINGS)
def test_it_is_what_torch_keeps(ending: str):
    text = f"{NET}{ENDINGS[ending]}\n"
    memory = measure(text)
    assert memory.size == sum(kept.size for kept in memory.tensors) == count_saved(text)


def test_the_lines_and_modules_that_save_most_come_first():
    memory = measure(f"{NET}blocks(x).sum().backward()\n")
    largest = [(kept.span.row, kept.op, kept.role, kept.count, kept.size) for kept in memory.tensors[:3]]
    assert largest == [
        (15, "conv2d", "input", 2, 2 * BYTES),
        (15, "batch_norm", "input", 2, 2 * BYTES),
        (15, "sigmoid", "result", 2, 2 * BYTES),
    ]
    assert memory.tensors[1].modules == ("0.norm (BatchNorm2d)", "1.norm (BatchNorm2d)")
    assert memory.tensors[2].modules == ("0 (Block)", "1 (Block)")
    assert memory.backward.row == 20


def test_buffers_do_not_count_either():
    with_buffers = NET.replace(", track_running_stats=False", "")
    ending = "blocks(x).sum().backward()\n"
    assert measure(with_buffers + ending).size == measure(NET + ending).size


def test_a_module_that_ran_is_not_kept_alive():
    ending = "alive = weakref.ref(blocks)\nblocks(x).sum().backward()\ndel blocks\nassert alive() is None\n"
    assert measure(f"import weakref\n{NET}{ending}").size > 0


def test_the_report_says_who_saved_what_and_why():
    text = f"{NET}blocks(x).sum().backward()\n"
    report = describe_kept_memory(measure(text), {"/measured.py": text.split("\n")}, 100, "/project")
    assert report.startswith(
        "Saved for the backward on line 20 of /measured.py, without parameters and buffers: 0.0 MiB"
    )
    assert "/measured.py:15  return x + torch.sigmoid(self.norm(self.conv(x)))" in report
    assert "sigmoid saves its result (2 of [2, 4, 16, 16], in 0 (Block) and 1 more): the derivative" in report
    assert max(map(len, report.split("\n"))) <= 100
    assert "Peak of the whole run: " in report


def test_a_program_without_backward_has_nothing_to_report():
    assert describe_kept_memory(measure("x = 1\n"), {}, 80, "/project").startswith("No backward ran")
