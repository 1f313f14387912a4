"""The next index is a new tensor."""

import torch
import torch.nn as nn


class PointerChain(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.table = nn.Parameter(torch.randn(n, 3))

    def forward(self, index, hops):
        total = 0
        for _ in range(hops):
            total = total + self.table.gather(0, index)
            index = (index + 1) % self.table.size(0)
        return total


PointerChain(5)(torch.randint(0, 5, (2, 3)), 3).sum().backward()
