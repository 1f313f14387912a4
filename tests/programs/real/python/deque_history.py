"""A deque keeps the last states; the oldest is recycled as the buffer of the newest."""

from collections import deque

import torch
from torch import nn

cell = nn.Linear(3, 3)
history = deque([torch.zeros(2, 3), torch.zeros(2, 3)])
outs = []
for x in torch.randn(4, 2, 3):
    new = torch.tanh(cell(x + history[-1]))
    outs.append((new * history[0]).sum())
    slot = history.popleft()
    slot.copy_(new)  # error: IP101
    history.append(slot)
sum(outs).backward()
