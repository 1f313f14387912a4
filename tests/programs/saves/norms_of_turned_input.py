"""Norms over groups make their input contiguous: of a transposed one they save a copy, unless its channels lie last."""

import torch
from torch import nn

lin = nn.Linear(4, 4)
group_norm = nn.GroupNorm(2, 4)
instance_norm = nn.InstanceNorm1d(4)

h = lin(torch.randn(2, 3, 4))
normed = group_norm(h.transpose(1, 2)).transpose(1, 2)
h += 1
normed.sum().backward()

h = lin(torch.randn(2, 3, 4))
normed = instance_norm(h.transpose(1, 2))
h += 1
normed.sum().backward()

h = lin(torch.randn(2, 5, 6, 4))
normed = group_norm(h.permute(0, 3, 1, 2))
h += 1  # error: IP101
normed.sum().backward()

h = lin(torch.randn(2, 4, 4))
normed = group_norm(h)
h += 1  # error: IP101
normed.sum().backward()

h = lin(torch.randn(2, 4, 4))
normed = instance_norm(h)
h += 1  # error: IP101
normed.sum().backward()


def normalise(x):
    h = lin(x)
    normed = instance_norm(h.permute(0, 2, 1)).permute(0, 2, 1)
    h += normed
    return h


normalise(torch.randn(2, 3, 4)).sum().backward()
