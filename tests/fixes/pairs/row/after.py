# unsafe: Write out of place: `y = y.select_scatter(x[:1] * 2, dim=-1, index=i)` (the value must have the shape of what it replaces)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x[None].exp()
for i in range(2):
    y = y.select_scatter(x[:1] * 2, dim=-1, index=i)
y.sum().backward()
