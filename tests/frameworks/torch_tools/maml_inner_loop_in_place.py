"""MAML's inner loop moves the fast weights in place, although the outer gradient still needs the values before the move."""

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
    tasks: int = 1
    first_order: bool = False


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
        x = torch.rand(shots, 1) * 10 - 5
        return x, amplitude * torch.sin(x + phase)

    return draw(), draw()


def adapt(model: nn.Module, support, cfg: MetaConfig) -> dict[str, torch.Tensor]:
    fast = {name: param.clone() for name, param in model.named_parameters()}
    x, y = support
    for _ in range(cfg.inner_steps):
        loss = F.mse_loss(functional_call(model, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=not cfg.first_order)
        for weight, grad in zip(fast.values(), grads):
            weight.sub_(cfg.inner_lr * grad)  # error: IP101
    return fast


def outer_step(model, optimizer, cfg: MetaConfig) -> float:
    optimizer.zero_grad()
    total = 0.0
    for _ in range(cfg.tasks):
        support, (x, y) = sample_task()
        fast = adapt(model, support, cfg)
        query_loss = F.mse_loss(functional_call(model, fast, (x,)), y) / cfg.tasks
        query_loss.backward()
        total += query_loss.item()
    optimizer.step()
    return total


if __name__ == "__main__":
    torch.manual_seed(0)
    net = SineNet()
    outer_step(net, torch.optim.Adam(net.parameters(), lr=1e-3), MetaConfig())
