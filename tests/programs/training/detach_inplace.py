"""`detach_()` cuts the state off in place."""

import torch
from torch import nn

cell = nn.RNNCell(2, 3)
hidden = torch.zeros(1, 3)
for _ in range(3):
    hidden = cell(torch.rand(1, 2), hidden)
    hidden.sum().backward()
    hidden.detach_()
