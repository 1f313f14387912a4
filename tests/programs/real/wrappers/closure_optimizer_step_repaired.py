"""It has its own forward."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
opt = torch.optim.Adam(model.parameters(), lr=0.01)
x = torch.randn(4, 3)
pred = model(x)


def closure():
    opt.zero_grad()
    loss = (model(x) - 1).pow(2).mean()
    loss.backward()
    return loss


opt.step(closure)
pred = model(x)
pred.mean().backward()
