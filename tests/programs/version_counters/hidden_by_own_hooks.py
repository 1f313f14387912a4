"""Under hooks of the user's own nothing is checked: they keep copies here. A linear layer keeps a view of its weight."""

import torch
from torch import nn

w = torch.randn(3, requires_grad=True)
y = w.exp()
with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
    z = y.exp()
z.detach().add_(1)
z.sum().backward()

layer = nn.Linear(2, 2)
out = layer(torch.randn(3, 2, requires_grad=True)).sum()
layer.weight.data = torch.zeros(2, 2)
out.backward()
