"""The foreach forms of the optimizers, and of the functions, move the version like the others."""

import torch
from torch import nn

for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.RMSprop):
    net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    optimizer = kind(net.parameters(), lr=0.1, foreach=True)
    x = torch.rand(4, 2)
    first, second = net(x).sum(), net(x).square().sum()
    first.backward()
    optimizer.step()  # error: IP102
    second.backward()

w = torch.rand(3, requires_grad=True)
factors = [torch.ones(3), torch.ones(3)]
loss = sum((w * factor).sum() for factor in factors)
torch._foreach_mul_(factors, 2)  # error: IP101
loss.backward()
