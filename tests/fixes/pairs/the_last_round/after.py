# unsafe: Carry `last` over without its history: `last = loss.detach()` (no gradient flows into earlier iterations)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
last = None
for i in range(3):
    loss = x.exp().sum()
    if last is not None:
        loss = loss + last * i
    loss.backward()
    last = loss.detach()
