"""Augmented assignments that need what they overwrite, and those that do not."""

import torch
import torch.nn.functional as F

w = torch.rand(4, requires_grad=True)

x = w * 2
x *= x  # error: IP101
x.sum().backward()

x = w * 2
x += x**2  # error: IP101
x.sum().backward()

x = w * 2
x /= x.norm()  # error: IP101
x.sum().backward()

x = w * 2
x *= F.silu(x)  # error: IP101
x.sum().backward()

h = w * 2
h += F.gelu(h)  # error: IP101
h.sum().backward()
