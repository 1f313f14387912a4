"""A recurrent layer keeps its input as it is; with the batch first it keeps a copy with the time first."""

import torch
from torch import nn

x = torch.rand(2, 5, 3, requires_grad=True)
for kind in (nn.LSTM, nn.GRU, nn.RNN):
    h = x * 2
    y, _ = kind(3, 4, batch_first=True)(h)
    h.mul_(2)
    y.sum().backward()

    h = x * 2
    y, _ = kind(3, 4)(h)
    h.mul_(2)  # error: IP101
    y.sum().backward()

h = x[0] * 2
y, _ = nn.LSTM(3, 4, batch_first=True)(h)
h.mul_(2)  # error: IP101
y.sum().backward()
