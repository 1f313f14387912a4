"""leaky_relu and elu keep their input; their in-place forms keep the result."""

import torch
import torch.nn.functional as F

x = torch.rand(4, requires_grad=True)
h = x * 2
out = F.elu(h)
out.add_(1)
out.sum().backward()

h = x * 2
F.elu(h, inplace=True)
h.add_(1)  # error: IP101
h.sum().backward()

h = x * 2
out = F.elu(h)
h.add_(1)  # error: IP101
out.sum().backward()
