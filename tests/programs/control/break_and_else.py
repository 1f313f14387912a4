"""The write happens in the turn that breaks, or in the else of the loop."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
for n in range(3):
    if n == 1:
        y.add_(1)  # error: IP101
        break
y.sum().backward()

y = x.exp()
for n in range(3):
    if n == 5:
        break
else:
    y.add_(1)  # error: IP101
y.sum().backward()
