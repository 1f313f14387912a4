"""An optimizer that calls a closure."""

import torch
from torch import nn

net = nn.Linear(2, 1)
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=2)
x, y = torch.rand(4, 2), torch.rand(4, 1)


def closure():
    optimizer.zero_grad()
    loss = (net(x) - y).square().mean()
    loss.backward()
    return loss


optimizer.step(closure)
