"""Rows are swapped through clones, columns are permuted by indexing."""

import torch

w = torch.randn(4, 3, requires_grad=True)
x = w * 1.0
tmp = x[0].clone()
x[0] = x[1]
x[1] = tmp
x = x[:, [2, 0, 1]]
x[:, 0] = x[:, 1].clone()
x.sum().backward()
