"""Initialisation, freezing and surgery of weights before any forward."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
for name, p in net.named_parameters():
    if "bias" in name:
        nn.init.zeros_(p)
    else:
        nn.init.orthogonal_(p)
    p.requires_grad_("0" not in name)
net[0].weight[0] = 1.0
with torch.no_grad():
    net[2].weight[0].fill_(0.5)
    net[2].bias += 0.1
net[2].weight.data[1, 1] = 3.0
opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
net(torch.randn(2, 3)).sum().backward()
opt.step()
net[2].weight.data.clamp_(-1, 1)
