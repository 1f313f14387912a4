# safe: Make a copy on line 8: `a = y.detach().numpy().copy()`
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x.exp()
z = (y * y).sum()
a = y.detach().numpy().copy()
a[0] = 0.0
print(a)
z.backward()
