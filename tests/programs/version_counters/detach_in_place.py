"""`detach_()` moves no version, but torch cannot take back a saved input that has lost its history."""

import torch

x = torch.rand(3, requires_grad=True)
h = x * 2
out = h**2
h.detach_()  # error: IP101
out.sum().backward()

h = x * 2
out = h.exp()
out2 = out + 1
out.detach_()
out2.sum().backward()

h = x * 2
h.detach_()
(h * x).sum().backward()
