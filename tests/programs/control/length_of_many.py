"""A list made in a loop of many passes has as many elements, whatever is looked at one by one."""

import torch

x = torch.randn(3, requires_grad=True)
parts = [x.exp() for _ in range(8)]
if len(parts) == 8:
    parts[0].mul_(2)  # error: IP101
sum(parts).sum().backward()
