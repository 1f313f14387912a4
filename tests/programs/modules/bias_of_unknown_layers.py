"""Layers that nobody knows, whose biases are replaced by parameters: they were parameters before."""

import math

import torch
from torch import nn

build = eval("lambda: nn.ModuleList([nn.Conv2d(3, 6, 1), nn.Conv2d(3, 6, 1)])")


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = build()

    def start_low(self):
        for head in self.heads:
            bias = head.bias.view(2, -1)
            try:
                bias[:, 1] += math.log(0.5)  # error: IP202
            except RuntimeError as error:
                print(error)
            head.bias = nn.Parameter(bias.reshape(-1), requires_grad=True)

    def start_low_on_data(self):
        for head in self.heads:
            bias = head.bias.detach().view(2, -1)
            bias[:, 1] += math.log(0.5)
            head.bias = nn.Parameter(bias.reshape(-1), requires_grad=True)

    def start_low_on_copy(self):
        for head in self.heads:
            bias = head.bias.clone().view(2, -1)
            bias[:, 1] += math.log(0.5)
            head.bias = nn.Parameter(bias.reshape(-1).detach(), requires_grad=True)


Detector().start_low()
Detector().start_low_on_data()
Detector().start_low_on_copy()
