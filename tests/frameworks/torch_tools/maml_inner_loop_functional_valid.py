"""MAML's inner loop builds new fast weights out of place, and only gradients and running totals change in place."""

from collections import OrderedDict
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


@dataclass(frozen=True)
class MetaConfig:
    inner_lr: float = 0.1
    inner_steps: int = 2
    tasks: int = 2
    grad_clip: float = 10.0


class SineNet(nn.Module):
    def __init__(self, hidden: int = 6) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            OrderedDict(
                fc1=nn.Linear(1, hidden),
                act1=nn.Tanh(),
                fc2=nn.Linear(hidden, hidden),
                act2=nn.Tanh(),
                out=nn.Linear(hidden, 1),
            )
        )

    def forward(self, x):
        return self.layers(x)


def sample_task(shots: int = 4):
    amplitude, phase = torch.rand(1) * 4 + 1, torch.rand(1) * 3

    def draw():
        x = torch.rand(shots, 1).mul_(10).sub_(5)
        return x, torch.sin(x + phase).mul_(amplitude)

    return draw(), draw()


def adapt(model: nn.Module, support, cfg: MetaConfig) -> dict[str, torch.Tensor]:
    fast = dict(model.named_parameters())
    x, y = support
    for _ in range(cfg.inner_steps):
        loss = F.mse_loss(functional_call(model, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {name: weight - cfg.inner_lr * grad for (name, weight), grad in zip(fast.items(), grads)}
    return fast


def outer_step(model, optimizer, cfg: MetaConfig) -> torch.Tensor:
    optimizer.zero_grad()
    total = torch.zeros(())
    for _ in range(cfg.tasks):
        support, (x, y) = sample_task()
        fast = adapt(model, support, cfg)
        query_loss = F.mse_loss(functional_call(model, fast, (x,)), y)
        query_loss.backward()
        total += query_loss.detach()
    for param in model.parameters():
        param.grad.div_(cfg.tasks).clamp_(-cfg.grad_clip, cfg.grad_clip)
    optimizer.step()
    return total.div_(cfg.tasks)


if __name__ == "__main__":
    torch.manual_seed(0)
    net = SineNet()
    meta = torch.optim.Adam(net.parameters(), lr=1e-3)
    for _ in range(2):
        outer_step(net, meta, MetaConfig())
