import torch
from torch import nn


class PCGrad:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def zero_grad(self):
        self.optimizer.zero_grad(set_to_none=True)

    def step(self):
        self.optimizer.step()

    def grads(self, losses, params):
        out = []
        for loss in losses:
            self.zero_grad()
            loss.backward()  # error: IP103
            out.append([p.grad.clone() if p.grad is not None else torch.zeros_like(p) for p in params])
        return out

    def backward(self, losses, params):
        per_task = self.grads(losses, params)
        for p, *gs in zip(params, *per_task):
            p.grad = sum(gs)


net = nn.Sequential(nn.Linear(4, 6), nn.ReLU())
heads = nn.ModuleList([nn.Linear(6, 1), nn.Linear(6, 2)])
params = [*net.parameters(), *heads.parameters()]
opt = PCGrad(torch.optim.Adam(params))
for _ in range(2):
    h = net(torch.randn(5, 4))
    losses = [head(h).pow(2).mean() for head in heads]
    opt.backward(losses, params)
    opt.step()
