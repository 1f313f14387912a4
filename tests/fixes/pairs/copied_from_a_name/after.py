# unsafe: Write out of place: `h = v.clone()` (`h` then has the shape and type of the value)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
h = x.exp()
v = x * 2
h = v.clone()
v = h.exp()
(h * v).sum().backward()
