# unsafe: Carry `total` over without its history: `total = total.detach()` after the backward (no gradient flows into earlier iterations)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
total = 0
for i in range(3):
    total = total + (x * x).sum()
    total.backward()
    total = total.detach()
