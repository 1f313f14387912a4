"""retain_graph=True hides it: then the step is in the way."""

import torch
from torch import nn

cell = nn.GRUCell(2, 3)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
hidden = torch.zeros(1, 3)
for _ in range(3):
    hidden = cell(torch.rand(1, 2), hidden)
    optimizer.zero_grad()
    hidden.sum().backward(retain_graph=True)
    optimizer.step()  # error: IP102
