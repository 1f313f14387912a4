# unsafe: Make a copy on line 7: `t = q.detach().clone()` (`q` keeps the old values)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
q = x.exp()
t = q.detach().clone()
for i in range(2):
    t[i] = 1.0
(q - t).pow(2).sum().backward()
