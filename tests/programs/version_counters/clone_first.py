"""Copies in all their forms."""

import copy

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
for other in (
    y.clone(),
    torch.clone(y),
    y.detach().clone(),
    y + 0,
    torch.empty_like(y).copy_(y),
    y.repeat(1),
    y.new_zeros(3),
):
    other.mul_(2)
torch.tensor(y.tolist()).zero_()
plain = y.detach()
copy.deepcopy(plain).zero_()
y.sum().backward()
