"""The list gets new tensors."""

import torch
import torch.nn as nn

cells = nn.ModuleList([nn.GRUCell(3, 3), nn.GRUCell(3, 3)])
states = [torch.zeros(2, 3) for _ in cells]
outputs = []
for x in torch.randn(4, 2, 3):
    inp = x
    for i, cell in enumerate(cells):
        states[i] = cell(inp, states[i])
        inp = states[i]
    outputs.append(inp.mean())
torch.stack(outputs).sum().backward()
