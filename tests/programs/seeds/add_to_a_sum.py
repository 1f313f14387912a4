"""Said to raise, does not: `+` has saved nothing."""

import torch

x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
y = x + 2
y.add_(1)
y.sum().backward()
