# unsafe: Move line 16 after the backward on line 17 (what runs between sees the old values)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
opt = torch.optim.SGD([x], lr=0.1)


def walk(loss, **how):
    loss.backward(**how)


z = torch.rand(4, requires_grad=True)
y = x * z
walk(y[0] * 2, retain_graph=True)
walk(y.sum(), inputs=z)
opt.step()
