"""An optimizer of one's own is a torch optimizer by what it hands on, however it is written."""

import torch
from torch import nn
from torch.optim import Adam, Optimizer


class Own(Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params=params, defaults={"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                p.add_(p.grad, alpha=-group["lr"])  # error: IP101


class Kept(Adam):
    def __init__(self, params, lr=0.1):
        Adam.__init__(self, params=params, lr=lr)

    def step(self, closure=None):
        return Adam.step(self, closure=closure)  # error: IP102


def train(make):
    net = nn.Linear(2, 2)
    optimizer = make(net.parameters())
    x = torch.rand(3, 2, requires_grad=True)
    net(x).sum().backward()
    loss = net(x).sum()
    optimizer.step()
    try:
        loss.backward()
    except RuntimeError:
        pass


train(Own)
train(lambda params: Kept(params=params))
