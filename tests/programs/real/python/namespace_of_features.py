"""What a net returns in a namespace is the very tensor that its head saved."""

from types import SimpleNamespace

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 6), nn.Linear(6, 2)

    def forward(self, x):
        features = self.body(x)
        return SimpleNamespace(features=features, logits=self.head(features))


out = Net()(torch.randn(3, 4))
out.features -= out.features.mean(0)  # error: IP101
(out.logits.logsumexp(-1).sum() + out.features.abs().sum()).backward()
