"""einsum of one operand without a sum is a view of it: permuted, or the diagonal; a sum is a new tensor."""

import torch

lin = torch.nn.Linear(4, 4)

h = lin(torch.randn(2, 3, 4))
squares = h.square()
turned = torch.einsum("bid->dib", h)
turned.mul_(2)  # error: IP101
squares.sum().backward()

h = lin(torch.randn(4, 4))
squares = h.square()
torch.einsum("ii->i", h).zero_()  # error: IP101
squares.sum().backward()

h = lin(torch.randn(2, 3, 4))
squares = h.square()
total = torch.einsum("bid->bi", h)
total.mul_(2)
(squares.sum() + total.sum()).backward()

h = lin(torch.randn(2, 3, 4))
total = torch.einsum("bid->d", h)
h.zero_()
total.sum().backward()
