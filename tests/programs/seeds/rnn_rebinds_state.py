"""A recurrent loop that binds a new hidden state each time."""

import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.hidden = hidden
        self.mix = nn.Linear(width + hidden, hidden)
        self.start = lambda batch: torch.zeros(batch, hidden, requires_grad=True)

    def forward(self, steps):
        state = self.start(steps.size(1))
        for step in steps:
            state = torch.tanh(self.mix(torch.cat((step, state), dim=1)))
        return state


Cell(4, 3)(torch.randn(5, 2, 4)).sum().backward()
