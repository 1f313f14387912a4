# unsafe: Write to a copy: `y = y.clone()` before it, and without `.data` (the gradient then goes through the write)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x.exp()
y = y.clone()
y[y > 1] = 1
y.sum().backward()
