"""An optimizer subclass whose step takes a loss and walks it, and a Polyak average written before."""

import torch
from torch import nn
from torch.optim import SGD


class LossSGD(SGD):
    def __init__(self, params, *args, polyak=0.9, **kwargs):
        super().__init__(params, *args, **kwargs)
        self.polyak = polyak
        for g in self.param_groups:
            g["avg"] = [p.detach().clone() for p in g["params"]]

    def minimise(self, loss):
        self.zero_grad()
        with torch.no_grad():
            for g in self.param_groups:
                for p, a in zip(g["params"], g["avg"]):
                    a.mul_(self.polyak).add_(p, alpha=1 - self.polyak)
                    p.lerp_(a, 0.01)  # error: IP101
        loss.backward()
        self.step()


net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = LossSGD(net.parameters(), lr=0.1, momentum=0.9)
for _ in range(2):
    opt.minimise(net(torch.randn(2, 3)).pow(2).mean())
