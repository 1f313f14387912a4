"""States in a list, detached every few steps; windows of them are stacked."""

import torch
from torch import nn

cell, head = nn.GRUCell(2, 3), nn.Linear(3, 1)
opt = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.01)
h = torch.zeros(1, 3)
window = []
for t in range(6):
    h = cell(torch.randn(1, 2), h)
    window.append(h)
    if len(window) == 3:
        loss = head(torch.stack(window)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        h = h.detach()
        window.clear()
