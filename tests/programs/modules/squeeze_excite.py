"""A gate multiplied in: in place it overwrites what the product keeps of the branch."""

import torch
from torch import nn


class Excite(nn.Module):
    def __init__(self, inplace):
        super().__init__()
        self.squeeze = nn.Linear(3, 3)
        self.inplace = inplace

    def forward(self, x):
        h = torch.tanh(x)
        gate = self.squeeze(h.mean(0, keepdim=True)).sigmoid()
        if self.inplace:
            h *= gate  # error: IP101
            return h
        return h * gate


x = torch.rand(2, 3, requires_grad=True)
Excite(False)(x).sum().backward()
Excite(True)(x).sum().backward()
