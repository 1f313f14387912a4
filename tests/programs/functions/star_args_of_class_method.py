"""A method of tensors that is called by the class, with arguments of unknown number behind the tensor."""

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x, *factors):
        y = self.layer(x).exp()
        torch.Tensor.mul_(y, *factors)  # error: IP101
        return y.sum()


try:
    globals()["Scaled"]()(torch.rand(2, 3), 2.0).backward()
except RuntimeError:
    pass
