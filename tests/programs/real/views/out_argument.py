"""A preallocated output is given to matmul although the weight requires grad."""

import torch

w = torch.randn(3, 3, requires_grad=True)
buffer = torch.empty(2, 3)
for x in torch.randn(2, 2, 3):
    torch.matmul(x, w, out=buffer)  # error: IP207
    print(buffer.sum())
