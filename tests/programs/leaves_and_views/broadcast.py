"""broadcast_to and expand_as are expand."""

import torch

x = torch.rand(3, requires_grad=True)
y = (x * 2).broadcast_to(2, 3)
try:
    y.mul_(2)  # error: IP205
except RuntimeError as error:
    print(error)
z = (x * 2).unsqueeze(0).expand_as(torch.zeros(4, 3))
z += 1  # error: IP205
