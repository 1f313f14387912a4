"""`zero_grad(set_to_none=False)` writes the gradients; by default they are let go, and who holds one keeps it."""

import torch
from torch import nn

net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for owner in (net, opt):
    net(torch.rand(2, 3)).pow(2).mean().backward()
    product = (net.weight.grad * net.weight).sum()
    owner.zero_grad(set_to_none=False)  # error: IP102
    product.backward()
    owner.zero_grad()

    net(torch.rand(2, 3)).pow(2).mean().backward()
    product = (net.weight.grad * net.weight).sum()
    owner.zero_grad()
    product.backward()
