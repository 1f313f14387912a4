"""After the backward."""

import torch
from torch import nn


class Bank(nn.Module):
    def __init__(self, names):
        super().__init__()
        for name in names:
            setattr(self, f"w_{name}", nn.Parameter(torch.randn(3, 3)))
        self.names = names

    def forward(self, x):
        for name in self.names:
            x = torch.relu(x @ getattr(self, f"w_{name}"))
        return x

    def renormalise(self):
        with torch.no_grad():
            for name in self.names:
                w = getattr(self, f"w_{name}")
                w.div_(w.norm())


bank = Bank(["in", "out"])
loss = bank(torch.randn(2, 3, requires_grad=True)).sum()
loss.backward()
bank.renormalise()
