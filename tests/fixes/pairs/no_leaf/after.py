# unsafe: Drop `requires_grad=True` on line 12 (`states` gets no gradient of its own)
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)

    def forward(self, x):
        hidden = torch.zeros(x.size(0), 4)
        states = torch.zeros(x.size(0), x.size(1), 4)
        for step in range(x.size(1)):
            hidden = self.cell(x[:, step], hidden)
            states[:, step] = hidden
        return states


encoder = Encoder()
encoder(torch.randn(2, 5, 3)).sum().backward()
