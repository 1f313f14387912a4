"""Its length is another by then."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        n = 1
        h = self.fc(torch.ones(n, 6))
        n = len(x)
        h = h.masked_fill(torch.ones(n, 6) > 2, 0.0)  # not: h = h.masked_fill_(torch.ones(n, 6) > 2, 0.0)
        return h
