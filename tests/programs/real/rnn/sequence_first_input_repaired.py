"""The sum and the masked states are new tensors."""

import torch
from torch import nn

x = nn.Linear(3, 4)(torch.randn(5, 2, 3))
first, second = nn.GRU(4, 4), nn.LSTM(4, 4, batch_first=True)
x = x + first(x)[0]
states, _ = second(x)
mask = torch.ones(5, 2, 1)
mask[3:] = 0
(states * mask).sum().backward()
