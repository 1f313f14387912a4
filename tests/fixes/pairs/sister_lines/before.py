import torch
from torch import nn

torch.manual_seed(0)
weight = torch.rand(4, requires_grad=True)


def forward(x):
    weight.mul_(0.5)
    y = (x * 2).sum()
    weight.add_(x.mean())
    return (weight * y).sum()


forward(torch.rand(4)).backward()
