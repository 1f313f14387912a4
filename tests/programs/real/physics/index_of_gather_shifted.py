"""The index of a gather is counted up in place: gather keeps it for its backward."""

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
            index += 1  # error: IP101
            index %= self.table.size(0)  # error: IP101
        return total


PointerChain(5)(torch.randint(0, 5, (2, 3)), 3).sum().backward()
