# safe: Write out of place: `p.neg().add(1)`
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
p = x.exp()
f = p.neg().add(1)
(f * x).sum().backward()
