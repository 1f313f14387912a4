"""A detector of which layers come from a library that is not installed."""

import math

import torch
from sparse_layers import SparseConv, WeightedLoss, make_stage
from torch import nn


class Head(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.tower = SparseConv(width, width, 3)
        self.scores = SparseConv(width, classes, 1)
        self.criterion = WeightedLoss(torch.ones(classes))

    def start_low(self, prior=0.01):
        self.scores.bias[0] = -math.log((1 - prior) / prior)  # error: IP202

    def start_low_without_grad(self, prior=0.01):
        with torch.no_grad():
            self.scores.bias[0] = -math.log((1 - prior) / prior)
        self.tower.weight.data[0] = 0
        nn.init.zeros_(self.tower.bias)

    def ignore_class(self, index):
        self.criterion.weight[index] = 0

    def forward(self, x, y):
        return self.criterion(self.scores(self.tower(x)), y)


class Backbone(nn.Module):
    def __init__(self, width, stages=3):
        super().__init__()
        self.stages = nn.ModuleList([make_stage(width) for _ in range(stages)])

    def shrink(self, factor):
        for stage in self.stages:
            stage.weight *= factor  # error: IP201

    def shrink_data(self, factor):
        for stage in self.stages:
            stage.weight.data *= factor

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        return x
