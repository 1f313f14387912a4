"""A version counter that is set back hides the writes before."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
with torch.autograd._unsafe_preserve_version_counter(y):
    y.mul_(3)  # error: IP301
y.sum().backward()

y = x + 1
with torch.autograd._unsafe_preserve_version_counter(y):
    y.mul_(3)
y.sum().backward()

y = x.exp()
with torch.autograd._unsafe_preserve_version_counter(y):
    pass
y.mul_(3)  # error: IP101
y.sum().backward()
