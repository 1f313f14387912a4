"""Pooling of volumes and rows to one element is a mean, too, and keeps nothing."""

import torch
import torch.nn.functional as F
from torch import nn

volume = torch.rand(1, 2, 4, 4, 4, requires_grad=True)
row = torch.rand(1, 2, 4, requires_grad=True)

for size in (1, (1, 1, 1)):
    features = volume * 2
    features += nn.AdaptiveAvgPool3d(size)(features)
    features.sum().backward()

features = volume * 2
pooled = F.adaptive_avg_pool3d(features, 1)
features.add_(1)
pooled.sum().backward()

features = row * 2
pooled = torch.adaptive_avg_pool1d(features, 1)
features.add_(1)
pooled.sum().backward()

for size in (2, (1, 1, 2)):
    features = volume * 2
    pooled = F.adaptive_avg_pool3d(features, size)
    features.add_(1)  # error: IP101
    try:
        pooled.sum().backward()
    except RuntimeError as error:
        print(error)
