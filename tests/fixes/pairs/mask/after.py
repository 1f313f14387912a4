# unsafe: Write to a copy: `y = y.clone()` before it (line 8 made this tensor under another name)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x.exp()
m = x > 0.5
y = y.clone()
y[m] *= 2
y.sum().backward()
