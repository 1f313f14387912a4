"""`polar` keeps its result: the gradient by the angle is computed from it."""

import torch

r = torch.rand(3, requires_grad=True)
t = torch.rand(3, requires_grad=True)
z = torch.polar(r, t)
z.mul_(2)  # error: IP101
z.real.sum().backward()
