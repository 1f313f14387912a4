import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = torch.stack([x, x]) * 2
for row in y:
    if row.sum() > 0:
        row *= 2  # scaled
y.sum().backward()
