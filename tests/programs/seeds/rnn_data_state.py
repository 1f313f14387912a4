"""The same loop through `.data`: no error at all, the weights just get no gradient."""

import torch
from torch import nn


class DataCell(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.mix = nn.Linear(width + hidden, hidden)
        self.start = lambda batch: torch.zeros(batch, hidden, requires_grad=True)

    def forward(self, steps):
        state = self.start(steps.size(1))
        for step in steps:
            both = torch.cat((step, state), dim=1)
            state.data = torch.tanh(self.mix(both))  # error: IP302
        return state


cell = DataCell(4, 3)
cell(torch.randn(5, 2, 4)).sum().backward()
print(cell.mix.weight.grad)
