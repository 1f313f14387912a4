"""A leaf may be written with grad mode off, before it needs a gradient, or through `.data`."""

import torch

w = torch.zeros(3)
w[0] = 1
w.add_(1)
w.requires_grad_()
with torch.no_grad():
    w[1] = 2
    w.mul_(2)
w.data.add_(1)
w.detach().add_(1)
torch.nn.init.uniform_(w)
(w * 2).sum().backward()
with torch.no_grad():
    w -= 0.1 * w.grad
    w.grad.zero_()
