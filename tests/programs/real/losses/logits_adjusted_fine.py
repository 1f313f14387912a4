"""Logits are shifted and masked in place before the softmax: the linear layer does not keep its output."""

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 5)
        self.temperature = nn.Parameter(torch.ones(1))

    def forward(self, h, legal=None):
        logits = self.fc(h)
        logits -= logits.max(dim=-1, keepdim=True).values.detach()
        logits /= 2.0
        if legal is not None:
            logits[~legal] = -1e8
        return torch.log_softmax(logits / self.temperature, dim=-1)


legal = torch.ones(3, 5, dtype=torch.bool)
legal[0, 1:] = False
Head()(torch.randn(3, 8), legal)[:, 0].sum().backward()
