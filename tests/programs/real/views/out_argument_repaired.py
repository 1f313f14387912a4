"""Under no_grad."""

import torch

w = torch.randn(3, 3, requires_grad=True)
buffer = torch.empty(2, 3)
for x in torch.randn(2, 2, 3):
    with torch.no_grad():
        torch.matmul(x, w, out=buffer)
    print(buffer.sum())
