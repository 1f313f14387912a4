"""Where an op has saved the result it is an error, told once; a later write in place of the same result is fine."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.data.mul_(2)  # error: IP301
y.sum().backward()

y = x + 1
y.data.mul_(2)  # error: IP301
y.mul_(3)
y.sum().backward()
