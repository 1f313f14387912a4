"""The parts of a nested tensor are views made at once, if it needs a gradient."""

import torch

x = torch.rand(4, 3, requires_grad=True)
a, b = torch.nested.nested_tensor([torch.rand(2, 3), torch.rand(1, 3)]).unbind()
a.mul_(2)

a, b = torch.nested.as_nested_tensor([x[:2] * 2, x[2:] * 3]).unbind()
c = a * 2
c.mul_(2)
c.sum().backward()

a, b = torch.nested.as_nested_tensor([x[:2] * 2, x[2:] * 3]).unbind()
a.mul_(2)  # error: IP203
