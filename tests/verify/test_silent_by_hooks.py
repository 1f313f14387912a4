"""Where hooks of the program keep what was saved, nobody checks versions: verify compares with what was saved."""

from __future__ import annotations

import pytest

from inplace_lsp.verify.client import Client
from verify.ways import found, verdict

HEAD = """\
import torch
from torch.autograd import graph
from torch.utils.checkpoint import checkpoint


def scale(t):
    y = t.exp()
    y.mul_(3)
    return y.sin()


def scale_last(t):
    y = t.exp()
    y.mul_(3)
    return y


def train():
    x = torch.rand(3, requires_grad=True)
"""
SILENT = {
    "a write in a checkpoint": ("    checkpoint(scale, x * 2, use_reentrant=False).sum().backward()\n", 8),
    "a write behind the last save, computed again": (
        "    checkpoint(scale_last, x * 2, use_reentrant=False, early_stop=False).sum().backward()\n",
        14,
    ),
    "what a checkpointed function reads": (
        "    h = torch.rand(3)\n    y = checkpoint(lambda t: t * h, x * 2, use_reentrant=False)\n    h.add_(1)\n"
        "    y.sum().backward()\n",
        22,
    ),
    "a hook that keeps the tensor": (
        "    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):\n        y = x.exp()\n    y.mul_(3)\n"
        "    y.sum().backward()\n",
        22,
    ),
    "tensors that were on the CPU": (
        "    with graph.save_on_cpu():\n        y = x.exp()\n    y.mul_(3)\n    y.sum().backward()\n",
        22,
    ),
    "a version counter that is set back": (
        "    y = x.exp()\n    with torch.autograd._unsafe_preserve_version_counter(y):\n        y.mul_(3)\n"
        "    y.sum().backward()\n",
        22,
    ),
}
RIGHT = {
    "a checkpoint that stops before the write": (
        "    y = checkpoint(scale_last, x * 2, use_reentrant=False)\n    y.sum().backward()\n"
    ),
    "the result of a checkpoint": (
        "    y = checkpoint(torch.exp, x * 2, use_reentrant=False)\n    y.mul_(2)\n    y.sum().backward()\n"
    ),
    "a hook that copies": (
        "    with graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):\n        y = x.exp()\n    y.mul_(3)\n"
        "    y.sum().backward()\n"
    ),
    "a hook that keeps less exact numbers": (
        "    with graph.saved_tensors_hooks(lambda t: t.half(), lambda t: t.float()):\n        y = x.exp()\n"
        "    y.mul_(3)\n    y.sum().backward()\n"
    ),
    "allow_mutation_on_saved_tensors": (
        "    with graph.allow_mutation_on_saved_tensors():\n        y = x.exp()\n        y.mul_(3)\n"
        "        y.sum().backward()\n"
    ),
    "dropout, whose random numbers are drawn again": (
        "    net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU(inplace=True), torch.nn.Dropout(0.5))\n"
        "    y = checkpoint(net, x * 2, use_reentrant=False)\n    y.mul_(2)\n    y.sum().backward()\n"
    ),
}
CHECKPOINTED = f"{HEAD}    checkpoint(scale_last, x * 2, use_reentrant=False).sum().backward()\n\n\ntrain()\n"


@pytest.mark.parametrize("name", SILENT)
def test_a_wrong_gradient_is_silent(client: Client, name: str) -> None:
    body, row = SILENT[name]
    told = verdict(client, HEAD + body, "train")
    assert (told.verdict, found(told)) == ("silent", {(row, "IP301")}), told.why
    assert "is off by" in told.why


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_gradient_is_not_reproduced(client: Client, name: str) -> None:
    told = verdict(client, HEAD + RIGHT[name], "train")
    assert (told.verdict, found(told)) == ("not-reproduced", set()), told.why


def test_a_block_that_only_checkpoints_call_is_judged_by_its_call(client: Client) -> None:
    told = verdict(client, CHECKPOINTED, "scale_last")
    assert told.verdict == "not-reproduced", told.why
    assert "computed again or copied" in told.why


def test_a_derivative_that_does_not_exist_is_confirmed(client: Client) -> None:
    told = verdict(client, f"{HEAD}    h = x + 2\n    h.acosh_()\n    h.sum().backward()\n", "train")
    assert told.verdict == "confirmed", told.why
