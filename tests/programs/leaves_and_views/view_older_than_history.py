"""A view made before its base got a history: torch takes it for a leaf until an op has used it."""

import torch

x = torch.rand(4, requires_grad=True)
base = torch.rand(4)
view = base.view(2, 2)
base.mul_(x)
try:
    view.add_(1)  # error: IP201
except RuntimeError as error:
    print(error)
total = view.sum()
view.add_(1)
(total + view.sum()).backward()
