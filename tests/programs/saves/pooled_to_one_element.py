"""Adaptive average pooling keeps its input, unless it gives one element: that is a mean, which keeps nothing."""

import torch
import torch.nn.functional as F
from torch import nn

x = torch.rand(1, 2, 4, 4, requires_grad=True)


class Gate(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(size)
        self.scale = nn.Conv2d(2, 2, 1)

    def forward(self, features):
        return torch.sigmoid(self.scale(self.pool(features)))


for size in (1, (1, 1)):
    features = x * 2
    features += Gate(size)(features)
    features.sum().backward()

features = x * 2
pooled = F.adaptive_avg_pool2d(features, (1, 1))
features.add_(1)
pooled.sum().backward()

features = x * 2
pooled = F.adaptive_avg_pool2d(features, (2, 2))
features.add_(1)  # error: IP101
try:
    pooled.sum().backward()
except RuntimeError as error:
    print(error)

features = x * 2
pooled = F.adaptive_avg_pool2d(features, (1, None))
features.add_(1)  # error: IP101
try:
    pooled.sum().backward()
except RuntimeError as error:
    print(error)
