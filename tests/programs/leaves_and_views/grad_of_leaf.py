"""`.grad` is a plain tensor."""

import torch

w = torch.rand(3, requires_grad=True)
(w * 2).sum().backward()
w.grad[0] = 0
w.grad /= 2
w.grad.clamp_(-1, 1)
w.grad.data.zero_()
