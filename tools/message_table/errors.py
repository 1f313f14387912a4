"""Programs for `why` in the table of messages, each with an error that torch could raise of it."""

from __future__ import annotations

FILE = "/example.py"
_SAVED = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
)
_TRACE = "Traceback (most recent call last):\n"


def _traceback_frame(row: int, source: str, function: str = "<module>") -> str:
    return f'  File "{FILE}", line {row}, in {function}\n    {source}\n'


_GATE = """\
import torch


def gate(x, w):
    y = torch.sigmoid(x @ w)
    y.clamp_(0, 1)
    return y


w = torch.rand(8, 8, requires_grad=True)
gate(torch.rand(4, 8), w).sum().backward()
"""
_GATE_TRACE = _TRACE + _traceback_frame(11, "gate(torch.rand(4, 8), w).sum().backward()")
_STEPS = """\
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
step = torch.optim.SGD(net.parameters())
loss = net(torch.rand(5, 4)).mean()
other = net(torch.rand(5, 4)).sum()
loss.backward(retain_graph=True)
step.step()
other.backward()
loss.backward()
loss.backward()
"""
_LOOP = """\
import torch


def train(model, batches, state: torch.Tensor):
    for batch in batches:
        state = torch.tanh(model(batch) + state)
        state.sum().backward()


def scale(table, x: torch.Tensor, y: torch.Tensor):
    out = torch.sigmoid(table)
    out.mul_(x)
    first = torch.sigmoid(y)
    first.mul_(x)
    kept = torch.sigmoid(y)
    kept.mul_(x)
    return out


def twice(loss, other):
    loss.backward()
    other.backward()
"""
_LEAF = """\
import torch

w = torch.rand(3, requires_grad=True)
loss = (w * w).sum()
with torch.no_grad():
    w.add_(1)
loss.backward()


def widen(n):
    x = torch.rand(n, 4, requires_grad=True)
    y = x.exp()
    y.add_(1)
    y.sum().backward()


def first(x):
    kept = torch.sigmoid(x)
    kept.mul_(x)
    return kept


def second(x):
    kept = torch.sigmoid(x)
    kept.mul_(x)
    return kept


def count(labels):
    share = torch.sigmoid(torch.rand(3))
    share.mul_(2)
    share.sum().backward()
"""
_TRAIN = """\
def train(model, opt, x):
    out = model(x)
    loss = out.sum()
    opt.step()
    loss.backward()
"""
_MASK = """\
import torch

chosen = torch.tensor([True, False, True])
chosen[chosen] = chosen[:2].clone()
"""
_REFUSED = """\
import torch

weight = torch.rand(3, requires_grad=True)
weight.mul_(2)
rows = torch.rand(2, 3, requires_grad=True).exp().unbind(0)
rows[0].mul_(2)
"""

_PLAIN = "[torch.FloatTensor {}], which is output 0 of {}, is at version {}; expected version {} instead."

_VIEW_OF_WRITTEN_BASE = """\
import torch

w = torch.rand(4, requires_grad=True)
state = torch.zeros(4)
part = state[:2]
y = part * w[:2]
state.copy_(w)
y.sum().backward()
"""
ERRORS = (
    (_VIEW_OF_WRITTEN_BASE, _SAVED + _PLAIN.format("[2]", "AsStrided", 1, 0)),
    (_GATE, _GATE_TRACE + _SAVED + _PLAIN.format("[4, 8]", "SigmoidBackward0", 1, 0)),
    (_GATE, _SAVED + _PLAIN.format("[4, 9]", "SigmoidBackward0", 1, 0)),
    (_GATE, _SAVED + _PLAIN.format("[4, 8]", "ExpBackward0", 1, 0)),
    (_GATE, _SAVED + "[torch.FloatTensor [4, 8]] is at version 1; expected version 0 instead."),
    (
        _GATE,
        "UserWarning: Error detected in SigmoidBackward0. Traceback of forward call that caused the error:\n"
        + _traceback_frame(11, "gate(torch.rand(4, 8), w).sum().backward()")
        + _traceback_frame(5, "y = torch.sigmoid(x @ w)", "gate")
        + _GATE_TRACE
        + _SAVED
        + _PLAIN.format("[4, 8]", "SigmoidBackward0", 1, 0),
    ),
    (_STEPS, _SAVED + _PLAIN.format("[8, 1]", "AsStridedBackward0", 2, 1)),
    (_STEPS, _SAVED + "[torch.FloatTensor [8, 4]] is at version 2; expected version 1 instead."),
    (
        _STEPS,
        _TRACE
        + _traceback_frame(12, "loss.backward()")
        + "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors).",
    ),
    (_LOOP, _SAVED + _PLAIN.format("[4]", "SigmoidBackward0", 1, 0)),
    (
        _LOOP,
        _TRACE
        + _traceback_frame(7, "state.sum().backward()", "train")
        + "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors).",
    ),
    (
        _LOOP,
        _TRACE
        + _traceback_frame(20, "other.backward()", "twice")
        + "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors).",
    ),
    (_LEAF, _SAVED + "[torch.FloatTensor [3]] is at version 1; expected version 0 instead."),
    (_LEAF, _SAVED + "[torch.FloatTensor [4]] is at version 1; expected version 0 instead."),
    (_LEAF, _SAVED + _PLAIN.format("[7, 4]", "ExpBackward0", 1, 0)),
    (_LEAF, _SAVED + _PLAIN.format("[3]", "SigmoidBackward0", 1, 0)),
    (
        _LEAF,
        _TRACE
        + _traceback_frame(17, "kept = torch.sigmoid(x)", "first")
        + _SAVED
        + _PLAIN.format("[3]", "SigmoidBackward0", 1, 0),
    ),
    (_TRAIN, _SAVED + _PLAIN.format("[64, 1]", "TBackward", 2, 1)),
    (_MASK, _SAVED.rstrip(": ")),
    (
        _REFUSED,
        _TRACE
        + _traceback_frame(4, "weight.mul_(2)")
        + _traceback_frame(1, "import torch")
        + "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.",
    ),
    (
        _REFUSED,
        _TRACE
        + _traceback_frame(4, "weight.mul_(2)")
        + "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.",
    ),
    *(
        (_REFUSED, _TRACE + _traceback_frame(1, "import torch") + f"RuntimeError: {words}")
        for words in (
            "a leaf Variable that requires grad is being used in an in-place operation.",
            "a view of a leaf Variable that requires grad is being used in an in-place operation.",
            "Output 0 of UnbindBackward0 is a view and is being modified inplace. This view is the output of a "
            "function that returns multiple views.",
            "A view was created in no_grad mode and is being modified inplace with grad mode enabled.",
            "Inference tensors cannot be saved for backward. To work around you can make a clone.",
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location.",
            "Trying to backward through the graph a second time (or directly access saved tensors).",
        )
    ),
)
"""A program, and an error with as much round it as people copy."""
