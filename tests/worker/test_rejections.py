"""The write rules of tape/autograd.py, held against torch: every kind of tensor, many writes, each grad mode."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inplace_lsp.tape.autograd import find_rejection
from inplace_lsp.tape.model import Tape, Write
from support import observe

TENSORS = {
    "plain": "t = torch.rand(2, 3)",
    "leaf": "t = torch.rand(2, 3, requires_grad=True)",
    "result": "t = w * 2",
    "view of a leaf": "t = w[:]",
    "row of a leaf": "t = torch.rand(3, 2, 3, requires_grad=True)[0]",
    "view of a result": "t = (w * 2).view(2, 3)",
    "view of a view": "t = (w * 2).t().t()",
    "detached": "t = w.detach()",
    "data": "t = w.data",
    "unbind": "t = torch.stack([w, w]).unbind()[0]",
    "view of an unbind output": "t = torch.stack([w, w]).unbind()[0].view(2, 3)",
    "chunk without grad": "t = torch.rand(4, 3).chunk(2)[0]",
    "view under no_grad": "y = w * 2\n    with torch.no_grad():\n        t = y[:]",
    "plain view under no_grad": "y = torch.rand(2, 3)\n    with torch.no_grad():\n        t = y[:]",
    "leaf view under no_grad": "with torch.no_grad():\n        t = w[:]",
    "view under inference": "y = w * 2\n    with torch.inference_mode():\n        t = y[:]",
    "inference": "with torch.inference_mode():\n        t = torch.rand(2, 3)",
    "view of inference": "with torch.inference_mode():\n        y = torch.rand(2, 3)\n    t = y[:]",
    "expanded": "t = torch.rand(1, 3).expand(2, 3)",
    "expanded result": "t = (w[:1] * 2).expand(2, 3)",
}
WRITES = (
    "t.add_(1)",
    "t.mul_(w)",
    "t.add_(plain)",
    "t.zero_()",
    "t.fill_(1)",
    "t.copy_(plain)",
    "t.copy_(w)",
    "t.relu_()",
    "t.exp_()",
    "t.masked_fill_(t > 2, 0.0)",
    "t[0] = 1",
    "t[:, 1:] = plain[:, 1:]",
    "t[...] = w",
    "t[t > 2] = 0",
    "t[[0]] = plain[:1]",
    "t += 1",
    "F.relu(t, inplace=True)",
    "torch.sigmoid_(t)",
    "t.clamp_(0, 1)",
    "t.tril_()",
    "t.detach_()",
)
MODES = ("torch.enable_grad()", "torch.no_grad()", "torch.inference_mode()")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", TENSORS)
@pytest.mark.parametrize("mode", MODES)
def test_the_rules_are_those_of_torch(kind: str, mode: str) -> None:
    for write in WRITES:
        tape = observe(_program(kind, mode, write))
        assert tape.notes == ()
        assert tape.error is None or _refused(tape), f"{write}: {tape.error}"
        for event in tape.events:
            if isinstance(event, Write):
                ruled = find_rejection(replace(event, refused=None)) is not None
                assert ruled == event.refused, f"{write} on {kind} under {mode}: {event} ({tape.error})"


def _program(kind: str, mode: str, write: str) -> str:
    return (
        "import torch\nimport torch.nn.functional as F\n\n\n"
        "def make(w, plain):\n"
        f"    {TENSORS[kind]}\n"
        "    return t\n\n\n"
        "w, plain = torch.rand(2, 3, requires_grad=True), torch.rand(2, 3)\n"
        "t = make(w, plain)\n"
        f"with {mode}:\n    {write}\n"
    )


def _refused(tape: Tape) -> bool:
    return any(isinstance(event, Write) and event.refused for event in tape.events)


OVERLAPPING = {
    "x[1:] += x[:-1]": True,
    "x[:-1] *= x[1:]": True,
    "x[1:].copy_(x[:-1])": True,
    "x[:3] += x[3:]": False,
    "x += x": False,
    "x[1:] += x[1:]": False,
    "x.view(2, 3)[0] += x.view(2, 3)[1]": False,
    "x.view(2, 3).mul_(x.view(2, 3))": False,
    "x[1:] = x[:-1]": True,
    "x[::2] += x[1::2]": False,
    "x[1:5] += 1": False,
}


@pytest.mark.parametrize(("write", "refused"), OVERLAPPING.items())
def test_operands_that_overlap_in_part(write: str, refused: bool) -> None:
    tape = observe(f"import torch\nx = torch.arange(6.0)\n{write}\n")
    assert (tape.error is not None) == refused
    assert _refused(tape) == refused
