"""Examples that cause the messages: programs beside those of the hazard pages, and events of real runs."""

from __future__ import annotations

from inplace_lsp.tape.model import (
    ALWAYS,
    NEVER,
    Actor,
    Backward,
    Check,
    Create,
    Free,
    Refusal,
    Reject,
    Save,
    Span,
    Tape,
    TensorState,
    View,
    When,
    Write,
)

PROGRAMS = (
    """\
import lightning
import torch
from torch import nn


class Gate(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 4)

    def training_step(self, batch, batch_idx):
        gate = torch.sigmoid(self.net(batch))
        gate.mul_(2)
        return gate.sum()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)
""",
    """\
import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Linear(3, 1)

    def forward(self, x):
        return self.main(x)


critic, generator = Critic(), nn.Linear(2, 3)
step = torch.optim.SGD(critic.parameters(), lr=0.1)
fused = torch.optim.Adam(critic.parameters(), fused=True)
loss = -critic(generator(torch.rand(5, 2))).mean()
critic(torch.rand(5, 3)).mean().backward()
step.step()
fused.step()
loss.backward()
""",
    """\
import torch

x = torch.rand(2, 3, requires_grad=True)
for row in range(2):
    (x * 2)[row].detach_()
""",
    """\
from torch import nn


class Net(nn.Module):
    def forward(self, x, mode):
        y = x.sigmoid()
        if mode == "predict":
            y.mul_(255)
        return y
""",
    """\
from torch import nn


class PostProcessor(nn.Module):
    def forward(self, scores, limit):
        first, second = scores.split(1)
        first.clamp_(max=limit)
        return first, second
""",
    """\
import torch


def shift(x, w):
    y = x * w
    x.add_(1)
    return y


def rescale(labels, scores: torch.Tensor):
    loss = labels * scores
    labels.mul_(2)
    scores.exp_()
    return loss
""",
    """\
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True))
x = torch.rand(2, 3)
w = torch.rand(3, requires_grad=True)
h = net(x)
rows = [h.detach(), h.sigmoid()]
rows[1].clamp_(0, 1)
with torch.no_grad():
    w.mul_(2)
mask = x > 1
z = h + 1
z[mask] = 0
first = z[0]
y = w.exp()
y.sum().backward()
y.mul_(2)
w.grad.zero_()
""",
    """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.sigmoid()
y.detach_()
loss = (y * x).sum()
loss.backward(retain_graph=True)
loss.backward()
y.data.mul_(2)
""",
    """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
loss = y.sum()
y.detach_()
loss.backward()
""",
    """\
import torch

x = torch.rand(3, requires_grad=True)
y = x * 2
loss = (y**2).sum()
y.detach_()
loss.backward()
""",
    """\
import torch

x = torch.rand(3, 3, requires_grad=True)
x.view(-1)[0] = 1
""",
    """\
import torch

x = torch.rand(4, requires_grad=True) * 1
with torch.no_grad():
    head = x[:2]
x.mul_(2)
head.sum().backward()
""",
    """\
import torch
from torch import nn


def merge(layer, opt, loaded: torch.Tensor, net: nn.Linear):
    layer.weight.data = loaded
    opt.data = net(loaded)
    net.bias.data = net(loaded)[0]
    return layer


def shrink(x: torch.Tensor):
    y = x.exp()
    y.data.mul_(2)
    return y


def triple(x: torch.Tensor):
    y = x + 1
    y.data *= 3
    return y.sum()


def clip_(values: torch.Tensor):
    values.clamp_(0, 1)


def trained(x: torch.Tensor):
    y = x.exp()
    clip_(y)
    return y.sum()
""",
    """\
import torch


class Pass(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad


h = torch.rand(3, requires_grad=True) * 1
y = Pass.apply(h)
h.mul_(2)
y.sum().backward()
""",
    """\
import torch


def walk_state(state: torch.Tensor):
    kept = state.exp()
    kept.sum().backward()
    kept.sum().backward()


def predict(out: torch.Tensor):
    y = out.sigmoid()
    y.mul_(2)
    return y


def rotate(q: torch.Tensor, rope: torch.Tensor):
    y = q * rope
    q.mul_(2)
    return y


def scale(x: torch.Tensor, factor, training: bool):
    y = x.exp()
    if factor is None or not training:
        return y
    y.mul_(factor)
    return y
""",
    """\
import torch


def attack(model, loader, clamp, noise: torch.Tensor):
    for x, y in loader:
        model(x + noise).sum().backward()
        noise.data = clamp(noise.data + noise.grad)
        noise.grad = None


def perturb(model, x, steps):
    delta = torch.zeros_like(x, requires_grad=True)
    for _ in range(steps):
        model(x + delta).sum().backward()
        delta.data = (delta + 0.1 * delta.grad.sign()).clamp(-1, 1)
        delta.grad.zero_()
    return x + delta.detach()


def fold(layer: torch.nn.Linear, adapter: torch.nn.Linear, x):
    layer.weight.data = layer.weight.data + adapter.weight
    layer(x).sum().backward()


class Probe:
    def __init__(self, model: torch.nn.Module):
        self.model = model
        self.kept = model.state_dict()

    def read_scores(self, x):
        scores = self.model(x)
        self.model.load_state_dict(self.kept)
        return scores
""",
    """\
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, residual=False):
        super().__init__()
        self.residual = residual
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        y = torch.relu(self.linear(x))
        if self.residual:
            y += x
        return y
""",
    """\
import torch


def scale(trainer):
    w = torch.rand(3, requires_grad=True)
    with trainer.accumulate():
        w.mul_(2)
    b = torch.rand(3, requires_grad=True)
    b.mul_(2)


def shift(trainer):
    w = torch.rand(3, requires_grad=True)
    with trainer.no_grad():
        w.add_(1)
""",
    """\
import torch


def scale(x: torch.Tensor, w):
    y = x.exp()
    y.cpu().numpy()[0] = 0
    return y


def train(layer: torch.nn.Linear, x):
    first = layer(x)
    second = torch.relu(first)
    second.register_hook(lambda g: g.mul_(0.5))
    (first + second).pow(2).sum().backward()


def compare(scores, other):
    fixed = scores.detach()
    loss = fixed * other
    fixed.mul_(2)
    return loss


class Whitening(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, x):
        y = self.linear(x)
        self.mean.data = 0.1 * y.mean(0)
        return y - self.mean
""",
    """\
import torch


def weigh(scores, mask=None):
    weights = scores.softmax(-1)
    if mask is not None:
        weights.masked_fill_(mask, 0.0)
    return weights


weigh(torch.rand(3, requires_grad=True)).sum().backward()
""",
    """\
import torch
from torch import nn

net = nn.Linear(3, 1)
net(torch.rand(2, 3)).sum().backward()
for parameter in net.parameters():
    parameter.grad.data = parameter.square()
net(torch.rand(2, 3)).sum().backward()
""",
)
"""Programs that bring about what those of the hazards' pages do not."""


def _span_at(row: int) -> Span:
    return Span("/observed.py", row, 0, row, 9)


_X = TensorState(1, "x", 1, 1, 0, ALWAYS)
_Y = TensorState(2, "y", 2, 2, 0, ALWAYS, leaf=False)
_UNNAMED = TensorState(3, "", 3, 3, 0, ALWAYS, leaf=False)
_PART = TensorState(4, "x", 1, 1, 0, ALWAYS, leaf=False, base=1)
_ALIAS = TensorState(5, "y", 2, 5, 0)
_IF_X = When(inputs=frozenset({"x"}))
_IF_STATE = When(inputs=frozenset({"state"}))

EVENTS = (
    Tape(
        "scale",
        (
            Create(_span_at(2), _Y, "exp"),
            Save(_span_at(2), _Y, "exp", "result", 1, 1),
            Write(_span_at(3), _Y, "add_", 1, grad_mode=True),
            Backward(_span_at(4), 1, retain=True, by_verify=True),
            Check(_span_at(4), 1, 1, 1),
            Free(_span_at(4), 1, 1),
        ),
    ),
    Tape(
        "unseen",
        (
            Save(_span_at(2), _Y, "exp", "result", 1, 1),
            Backward(_span_at(4), 1, retain=False),
            Check(_span_at(4), 1, 1, 1),
        ),
    ),
    Tape(
        "same",
        (
            Save(_span_at(2), _Y, "exp", "result", 1, 1),
            View(_span_at(3), _ALIAS, _Y, ".data"),
            Write(_span_at(3), _ALIAS, "copy_", 1, grad_mode=True, alias=".data"),
            Backward(_span_at(4), 1, retain=False),
            Check(_span_at(4), 1, 1, 0, changed=False),
        ),
    ),
    Tape(
        "walk_again",
        (
            Save(_span_at(2), _Y, "exp", "result", 1, 1, _IF_STATE),
            Backward(_span_at(3), 1, retain=False),
            Free(_span_at(3), 1, 1),
            Backward(_span_at(4), 2, retain=False),
            Check(_span_at(4), 1, 2, 0, freed=True, when=_IF_STATE),
        ),
        made_with=("state",),
    ),
    Tape(
        "refused",
        (
            View(_span_at(2), _PART, _X, "select"),
            Write(_span_at(2), _PART, "copy_", 1, grad_mode=True, needs_grad=ALWAYS, refused=True),
            Reject(_span_at(3), _Y, "exp", Refusal.INFERENCE_SAVED, _IF_X),
            Write(_span_at(4), _X, "addcdiv_", 1, grad_mode=False, actor=Actor.STEP),
            Save(_span_at(4), _Y, "sin", "self", 5, 5, NEVER),
            Save(_span_at(4), TensorState(8, "", 8, 8, 0), "mul", "other", 6, 6),
            Write(_span_at(4), _Y, "mul_", 1, grad_mode=False, refused=True),
            Check(_span_at(4), 99, 1, 0, freed=True),
            Check(_span_at(4), 98, 1, 0),
            Write(_span_at(5), TensorState(9, "x.grad", 9, 9, 0), "accumulate_grad", 1, grad_mode=False),
        ),
    ),
)
"""What only a recorder of real runs writes: walks that verify starts, writes that nobody saw, what torch refused."""
