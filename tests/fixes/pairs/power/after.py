# safe: Let the op keep a copy: `.clone()` on line 7
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x * 2
z = y.clone() ** 3
y[0] = 1
(y * 1 + z).sum().backward()
