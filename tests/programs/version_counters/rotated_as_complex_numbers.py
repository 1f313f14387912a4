"""Rotary embeddings: the real numbers of a complex product are a view of it, flattened or not."""

import torch

lin = torch.nn.Linear(4, 8)
turns = torch.polar(torch.ones(4), torch.arange(4.0))


def rotate(q):
    pairs = torch.view_as_complex(q.float().reshape(*q.shape[:-1], -1, 2))
    turned = pairs * turns
    return turned, torch.view_as_real(turned).flatten(-2)


turned, out = rotate(lin(torch.randn(2, 4)))
size = turned.abs()
out.mul_(0.5)  # error: IP101
size.sum().backward()

turned, out = rotate(lin(torch.randn(2, 4)))
out.mul_(0.5)
out.sum().backward()

turned, out = rotate(lin(torch.randn(2, 4)))
size = turned.abs()
swapped = torch.view_as_real(turned).transpose(0, 1).flatten(1)
swapped.mul_(0.5)
size.sum().backward()
