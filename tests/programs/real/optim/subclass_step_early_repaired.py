"""Two forwards, one for each step."""

import torch
from torch import nn
from torch.optim.optimizer import Optimizer


class PlainSGD(Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    def step(self, closure=None):
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        p.add_(p.grad, alpha=-group["lr"])


model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))
optimizer = PlainSGD(model.parameters(), lr=0.1)
x = torch.randn(3, 4)
out = model(x)
first, second = out[:, 0].sum(), out[:, 1].sum()
optimizer.zero_grad()
first.backward()
optimizer.step()
second = model(x)[:, 1].sum()
optimizer.zero_grad()
second.backward()
optimizer.step()
