"""Necks of detectors: they replace the maps of a list, level by level, by what layers make of them."""

import torch
import torch.nn.functional as F
from torch import nn


class UpAndDown(nn.Module):
    def __init__(self, width, levels):
        super().__init__()
        self.levels = levels
        self.share = nn.Parameter(torch.ones(2, levels))
        self.convs = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(2 * levels)])

    def forward(self, inputs):
        assert len(inputs) == self.levels
        number = 0
        path = inputs
        for i in range(self.levels - 1, 0, -1):
            up = F.interpolate(path[i], scale_factor=2)
            path[i - 1] = self.share[0, i - 1] * path[i - 1] + self.share[1, i - 1] * up
            path[i - 1] = self.convs[number](path[i - 1])
            number = number + 1
        for i in range(self.levels - 1):
            path[i + 1] = path[i + 1] + F.max_pool2d(path[i], 2)
            path[i + 1] = self.convs[number](path[i + 1])
            number = number + 1
        return path


class TopDown(nn.Module):
    def __init__(self, width, levels):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv2d(width, width, 1) for _ in range(levels)])

    def forward(self, maps):
        for i in range(len(maps) - 1, 0, -1):
            maps[i - 1] = maps[i - 1] * F.interpolate(maps[i], scale_factor=2).sigmoid()
            maps[i - 1] = self.convs[i](maps[i - 1])
        return maps


class Refined(nn.Module):
    def __init__(self, width, levels):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Conv2d(width, width, 1) for _ in range(levels)])

    def forward(self, feats, times):
        out = feats
        for _ in range(times):
            out[0] = out[0].exp()
            out[0] = self.blocks[-1](out[0])
        return out


class FromTheEnd(nn.Module):
    def __init__(self, width, levels):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv2d(width, width, 1) for _ in range(levels)])

    def forward(self, maps):
        for i in reversed(range(len(maps))):
            gate = maps[len(maps) - 1 - i].sigmoid()
            maps[len(maps) - 1 - i] = self.convs[i](maps[len(maps) - 1 - i]) + gate.mean()
            maps[len(maps) - 1 - i] = self.convs[i](maps[len(maps) - 1 - i])
        return maps


class Rows(nn.Module):
    """A tensor whose columns are replaced: what the layers keep is written."""

    def __init__(self, width, columns):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(columns)])

    def forward(self, x):
        y = x.tanh()
        for i, layer in enumerate(self.layers):
            y[:, i] = layer(y[:, i])  # error: IP101
        return y


class Gated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        gate = self.layer(x).sigmoid()
        gate[0] = self.layer(gate[0])  # error: IP101
        return gate


class Weighted(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(levels))

    def forward(self, maps):
        weight = self.weight.relu()
        weight /= weight.sum() + 1e-4  # error: IP101
        return [w * m for w, m in zip(weight, maps)]
