# unsafe: Make a list of new tensors: `gs = [g * 0.5 for g in gs]` (other references to the tensors of `gs` keep the old values)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
gs = torch.autograd.grad(x.exp().sum(), [x], create_graph=True)
p = sum(g.pow(2).sum() for g in gs)
gs = [g * 0.5 for g in gs]  # half
(p + gs[0].sum()).backward()
