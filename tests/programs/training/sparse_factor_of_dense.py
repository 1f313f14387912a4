"""A product with a sparse matrix keeps the dense factor for the gradient of the values."""

import torch

i = torch.tensor([[0, 1], [1, 0]])
v = torch.randn(2, requires_grad=True)
s = torch.sparse_coo_tensor(i, v * 1, (2, 2))
d = torch.randn(2, 3)
y = torch.sparse.mm(s, d)
d.add_(1)  # error: IP101
y.sum().backward()
