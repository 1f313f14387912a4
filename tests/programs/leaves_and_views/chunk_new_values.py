"""Gates of a recurrent cell: new values from chunks are fine, in-place activations on them are not."""

import torch
from torch import nn


def gates(mixed):
    keep, new = mixed.chunk(2, dim=1)
    return torch.sigmoid(keep) * torch.tanh(new)


def gates_inplace(mixed):
    keep, new = mixed.chunk(2, dim=1)
    return keep.sigmoid_() * new.tanh()  # error: IP203


mix = nn.Linear(3, 8)
gates(mix(torch.rand(2, 3))).sum().backward()
gates_inplace(mix(torch.rand(2, 3))).sum().backward()
