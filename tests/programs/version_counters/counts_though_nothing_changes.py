"""`add_(0)` and an empty slice count as writes."""

import torch

x = torch.rand(4, requires_grad=True)
y = x.exp()
y.add_(0)  # error: IP101
y.sum().backward()

y = x.exp()
y[0:0] = 1  # error: IP101
y.sum().backward()

y = x.exp()
y.unsqueeze_(0)  # error: IP101
y.sum().backward()
