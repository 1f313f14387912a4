"""The base under a view made with no_grad is written: its next use is refused."""

import torch

x = torch.rand(4, requires_grad=True)
y = x * 2
with torch.no_grad():
    head = y[:2]
y.mul_(3)  # error: IP204
(head * x[:2]).sum().backward()
