"""A graph that has saved nothing may be walked twice."""

import torch

x = torch.rand(3, requires_grad=True)
y = (x + 1).sum()
y.backward()
y.backward()
