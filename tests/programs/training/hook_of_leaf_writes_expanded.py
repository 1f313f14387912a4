"""A leaf that is summed: its hook is given the expanded gradient."""

import torch

x = torch.randn(3, requires_grad=True)
x.register_hook(lambda g: g.mul_(2))  # error: IP205
x.sum().backward()
