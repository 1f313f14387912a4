# safe: Write `row` as `y[i]`: `for i in range(len(y))`
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = torch.stack([x, x]) * 2
for i in range(len(y)):
    if y[i].sum() > 0:
        y[i] *= 2  # scaled
y.sum().backward()
