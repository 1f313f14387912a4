"""The raw storage is written."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.untyped_storage().fill_(0)  # error: IP301
y.sum().backward()
