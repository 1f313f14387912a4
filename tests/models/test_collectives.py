"""Collectives write what they are given behind its version counter."""

from __future__ import annotations

import pytest

from inplace_lsp.engine import analyse_source

SILENT = {
    "all_reduce": "dist.all_reduce({0})",
    "all_reduce with an operator": "dist.all_reduce({0}, op=dist.ReduceOp.SUM, async_op=True)",
    "broadcast": "dist.broadcast({0}, src=0)",
    "reduce": "dist.reduce({0}, 0)",
    "scatter": "dist.scatter({0}, [{1}], 0)",
    "all_to_all_single": "dist.all_to_all_single({0}, {1})",
}
PROGRAM = """\
import torch
import torch.distributed as dist
from torch import nn


def share(value, other):
    {write}
    return value


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        scores = self.layer(x).softmax(dim=-1)
        share({given}, torch.zeros(2, 3))
        return scores


loss = Net()(torch.rand(2, 3)).log().sum()
loss.backward()
dist.all_reduce(loss)
"""


@pytest.mark.parametrize("name", SILENT)
def test_a_saved_tensor_is_overwritten(name: str) -> None:
    text = PROGRAM.format(write=SILENT[name].format("value", "other"), given="scores")
    findings = [found for found in analyse_source(text, "/program.py").findings if found.severity != "hint"]
    assert [(found.code, found.severity, found.span.row) for found in findings] == [("IP301", "error", 7)]


@pytest.mark.parametrize("name", SILENT)
def test_a_copy_may_be_overwritten(name: str) -> None:
    text = PROGRAM.format(write=SILENT[name].format("value", "other"), given="scores.detach().clone()")
    assert not analyse_source(text, "/program.py").findings


def test_gradients_and_weights_are_shared_outside_of_a_step() -> None:
    text = """\
import torch
import torch.distributed as dist

net = torch.nn.Linear(3, 3)
for p in net.parameters():
    dist.broadcast(p.data, 0)
    dist.broadcast(p, 0)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.rand(4, 2, 3):
    optimizer.zero_grad()
    net(x).exp().sum().backward()
    for p in net.parameters():
        dist.all_reduce(p.grad)
        p.grad /= dist.get_world_size()
    optimizer.step()
"""
    assert not analyse_source(text, "/program.py").findings


def test_torch_moves_no_version() -> None:
    torch = pytest.importorskip("torch")
    dist = torch.distributed
    if not dist.is_available() or not dist.is_gloo_available():
        pytest.skip("this torch has no gloo")
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        for call in SILENT.values():
            made = torch.ones(3, requires_grad=True).exp()
            eval(call.format("made", "other"), {"dist": dist, "made": made, "other": torch.zeros(3)})
            assert made._version == 0
    finally:
        dist.destroy_process_group()
