"""A step by hand through `.data`, at the right time and too early."""

import torch

w = torch.rand(3, requires_grad=True)
(w**2).sum().backward()
w.data -= 0.1 * w.grad
w.grad = None

loss = (w**2).sum()
w.data -= 0.1  # error: IP301
loss.backward()
