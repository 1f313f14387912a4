"""Towers in a ModuleDict, outputs in a dict, updated by key; sums in place onto linear outputs."""

import torch
from torch import nn


class Towers(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.towers = nn.ModuleDict({n: nn.Sequential(nn.Linear(4, 4), nn.ReLU()) for n in names})
        self.bias = nn.ParameterDict({n: nn.Parameter(torch.zeros(4)) for n in names})

    def forward(self, inputs):
        outputs = {}
        for name, tower in self.towers.items():
            outputs[name] = tower(inputs[name])
        for name in outputs:
            outputs[name] = outputs[name] + self.bias[name]
            outputs[name] += 1.0
        fused = torch.zeros(4)
        for value in outputs.values():
            fused = fused + value.mean(0)
        return fused


model = Towers(["user", "item"])
model({"user": torch.randn(2, 4), "item": torch.randn(2, 4)}).sum().backward()
