"""A recurrent net whose hidden state is carried from batch to batch without detach."""

import torch
from torch import nn

cell = nn.GRUCell(2, 3)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
hidden = torch.zeros(1, 3)
for _ in range(3):
    hidden = cell(torch.rand(1, 2), hidden)
    loss = hidden.sum()
    optimizer.zero_grad()
    loss.backward()  # error: IP103
    optimizer.step()
