"""A new tensor each time."""

from collections import deque

import torch
from torch import nn

cell = nn.Linear(3, 3)
history = deque([torch.zeros(2, 3), torch.zeros(2, 3)])
outs = []
for x in torch.randn(4, 2, 3):
    new = torch.tanh(cell(x + history[-1]))
    outs.append((new * history[0]).sum())
    history.popleft()
    history.append(new)
sum(outs).backward()
