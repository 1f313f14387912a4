# safe: Let the op keep a copy: `.clone()` on line 7; write to a copy: `y = y.clone()` before it
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x.exp()
y = y.clone()
y[1:] += y[:-1].clone()
y.sum().backward()
