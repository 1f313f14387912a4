"""A pyramid adds each map, interpolated, to the next larger one, which a ReLU has kept."""

import torch
import torch.nn.functional as F
from torch import nn

laterals = nn.ModuleList(nn.Sequential(nn.Conv2d(2, 2, 1), nn.ReLU()) for _ in range(3))
maps = [lateral(torch.rand(1, 2, 8 // 2**i, 8 // 2**i)) for i, lateral in enumerate(laterals)]
for i in range(2, 0, -1):
    maps[i - 1] += F.interpolate(maps[i], scale_factor=2)  # error: IP101
sum(each.mean() for each in maps).backward()
