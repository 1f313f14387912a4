"""The expanded token is cloned."""

import torch
from torch import nn


class ViT(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.proj = nn.Linear(3, dim)

    def forward(self, patches):
        x = self.proj(patches)
        cls = self.cls_token.expand(x.shape[0], -1, -1)
        cls = cls + torch.randn(x.shape[0], 1, 4)
        return torch.cat((cls, x), dim=1)


ViT()(torch.randn(2, 5, 3)).sum().backward()
