"""Properties hand out views and clones of a parameter-made matrix."""

import torch
from torch import nn


class Rotation(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.raw = nn.Parameter(torch.randn(n, n) * 0.1)
        self._cache = None

    @property
    def skew(self):
        return self.raw - self.raw.T

    @property
    def matrix(self):
        if self._cache is None:
            self._cache = torch.matrix_exp(self.skew)
        return self._cache

    @matrix.deleter
    def matrix(self):
        self._cache = None

    def forward(self, x):
        return x @ self.matrix


rot = Rotation(3)
opt = torch.optim.SGD(rot.parameters(), lr=0.1)
for i in range(3):
    loss = rot(torch.randn(4, 3)).square().sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    del rot.matrix
