"""Gradients may be clipped and zeroed in place."""

import torch
from torch import nn

net = nn.Linear(3, 1)
net(torch.rand(2, 3)).sum().backward()
nn.utils.clip_grad_norm_(net.parameters(), 0.1)
nn.utils.clip_grad_value_(net.parameters(), 0.1)
for p in net.parameters():
    p.grad.mul_(2)
    p.grad.zero_()
net.zero_grad(set_to_none=False)
