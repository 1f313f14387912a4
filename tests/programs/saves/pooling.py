"""Pooling keeps its input."""

import torch
import torch.nn.functional as F

x = torch.rand(1, 1, 4, 4, requires_grad=True)
h = x * 2
out = F.max_pool2d(h, 2)
h.add_(1)  # error: IP101
out.sum().backward()

h = x * 2
out = F.avg_pool2d(h, 2)
h.add_(1)  # error: IP101
out.sum().backward()

h = x * 2
out = F.max_pool2d(h, 2)
out.add_(1)
out.sum().backward()
