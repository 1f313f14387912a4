"""einsum keeps its operands as a matrix product does."""

import torch

w = torch.rand(3, 4, requires_grad=True)
data = torch.rand(2, 3)
out = torch.einsum("ij,jk->ik", data, w)
data.zero_()  # error: IP101
out.sum().backward()

left = w.t() * 2
out = left @ torch.rand(3, 2)
left.zero_()
out.sum().backward()
