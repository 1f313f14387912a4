"""A function that returns None on one way: with it, no product is computed and nothing is saved."""

import numpy as np
import torch
from torch import nn


def to_tensor(array):
    if "torch.tensor" not in str(type(array)):
        return torch.tensor(array, dtype=torch.float32)


class Body(nn.Module):
    def __init__(self, regressor, learned):
        super().__init__()
        self.register_buffer("regressor", to_tensor(np.array(regressor)))
        self.learned = nn.Parameter(torch.tensor(learned))
        self.shape = nn.Linear(2, 3)

    def forward(self, x, shift=None):
        points = self.shape(x) * 2
        joints = torch.einsum("bik,ji->bjk", [points, self.regressor])
        if shift is not None:
            points += shift
        return points.sum() + joints.sum()


class Learning(Body):
    def forward(self, x, shift=None):
        points = self.shape(x) * 2
        joints = torch.einsum("bik,ji->bjk", [points, self.learned])
        if shift is not None:
            points += shift  # error: IP101
        return points.sum() + joints.sum()


for kind in (Body, Learning):
    body = kind([[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.5, 0.5]])
    body(torch.rand(1, 2, 2), torch.ones(3)).backward()
