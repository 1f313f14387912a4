"""`.data` has a counter of its own: the write is not seen, nor is any later one through the alias."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
alias = y.data
alias.mul_(2)  # error: IP301
alias[0] = 1  # error: IP301
y.sum().backward()
