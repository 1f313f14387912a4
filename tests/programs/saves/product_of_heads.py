"""A product over heads works on copies of operands that lie otherwise: only what lies in order is kept itself."""

import torch

x = torch.randn(2, 6, 8, requires_grad=True)
q, k, v = ((x * scale).reshape(2, 6, 2, 4).transpose(1, 2) for scale in (1.0, 2.0, 3.0))
scores = q @ k.transpose(-2, -1)
q *= 0.5
k += 1
weights = scores.softmax(-1)
out = weights @ v
v.zero_()
weights.mul_(0.9)  # error: IP101
out.sum().backward()
