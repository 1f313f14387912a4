import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
gs = torch.autograd.grad(x.exp().sum(), [x], create_graph=True)
p = sum(g.pow(2).sum() for g in gs)
for g in gs:
    g *= 0.5  # half
(p + gs[0].sum()).backward()
