"""Without batch_first, a recurrent net keeps its very input; a one-way LSTM keeps its output, too."""

import torch
from torch import nn

x = nn.Linear(3, 4)(torch.randn(5, 2, 3))
first, second = nn.GRU(4, 4), nn.LSTM(4, 4, batch_first=True)
x += first(x)[0]  # error: IP101
states, _ = second(x)
states[:, 3:] = 0  # error: IP101
states.sum().backward()
