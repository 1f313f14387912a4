"""States of an optimizer need no gradient: `out=` into them is fine. What needs one is refused."""

import torch
from torch import nn


class Factored(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {"lr": 0.1})

    def combine(self, row, column, output):
        torch.mul(row.rsqrt().unsqueeze(-1), column.rsqrt().unsqueeze(-2), out=output)

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for weight in group["params"]:
                state = self.state[weight]
                if not state:
                    state["row"] = torch.zeros(weight.shape[:-1])
                    state["column"] = torch.zeros(weight.shape[1:])
                update = weight.grad.square() + 1e-8
                state["row"].mul_(0.9).add_(update.mean(-1))
                state["column"].mul_(0.9).add_(update.mean(-2))
                self.combine(state["row"], state["column"], update)
                weight.add_(update * weight.grad, alpha=-group["lr"])


weight = nn.Parameter(torch.rand(2, 3))
optimizer = Factored([weight])
for _ in range(2):
    optimizer.zero_grad()
    (weight**2).sum().backward()
    optimizer.step()

torch.mul(torch.rand(2, 3), 2, out=weight)  # error: IP207
