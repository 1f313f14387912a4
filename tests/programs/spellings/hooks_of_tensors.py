"""Hooks given by keyword run, too."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
z = y * y
z.register_hook(hook=lambda gradient: y.mul_(2))  # error: IP101
try:
    z.sum().backward(gradient=None, retain_graph=False)
except RuntimeError:
    pass

w = torch.rand(3, requires_grad=True)
optimizer = torch.optim.SGD(params=[w], lr=0.1)
w.register_post_accumulate_grad_hook(hook=lambda parameter: optimizer.step(closure=None))  # error: IP102
first, second = (w**2).sum(), (w**3).sum()
first.backward()
try:
    second.backward()
except RuntimeError:
    pass
