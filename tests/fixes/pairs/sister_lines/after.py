# unsafe: Write under `torch.no_grad()` (no gradient flows through this write)
import torch
from torch import nn

torch.manual_seed(0)
weight = torch.rand(4, requires_grad=True)


def forward(x):
    with torch.no_grad():
        weight.mul_(0.5)
    y = (x * 2).sum()
    with torch.no_grad():
        weight.add_(x.mean())
    return (weight * y).sum()


forward(torch.rand(4)).backward()
