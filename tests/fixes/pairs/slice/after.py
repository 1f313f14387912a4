# unsafe: Write out of place: `y = y.slice_scatter(v, dim=1, start=2)` (the value must have the shape of what it replaces)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x[None].exp()
v = x[:2][None]
y = y.slice_scatter(v, dim=1, start=2)
y.sum().backward()
