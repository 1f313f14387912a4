"""After the backward."""

import torch
from torch import nn
from torch.nn.utils import parametrizations

conv = parametrizations.weight_norm(nn.Conv1d(2, 3, 3))
opt = torch.optim.Adam(conv.parameters(), lr=1e-3)
for x in torch.randn(2, 1, 2, 8):
    loss = conv(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    with torch.no_grad():
        conv.parametrizations.weight.original0.mul_(0.9)
    opt.step()
