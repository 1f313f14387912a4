"""Both losses are walked before the update."""

import torch
from torch import nn


class SGD:
    def __init__(self, params, lr=0.1, momentum=0.9):
        self.params = list(params)
        self.lr = lr
        self.momentum = momentum
        self.velocity = [torch.zeros_like(p) for p in self.params]

    @torch.no_grad()
    def step(self):
        for p, v in zip(self.params, self.velocity):
            if p.grad is None:
                continue
            v.mul_(self.momentum).add_(p.grad)
            p.sub_(self.lr * v)

    def zero_grad(self):
        for p in self.params:
            p.grad = None


net = nn.Sequential(nn.Linear(3, 8), nn.GELU(), nn.Linear(8, 1))
opt = SGD(net.parameters())
x = torch.randn(6, 3)
pred = net(x)
mse = pred.pow(2).mean()
mae = pred.abs().mean()
opt.zero_grad()
mse.backward(retain_graph=True)
mae.backward()
opt.step()
