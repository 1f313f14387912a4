import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv1d(1, 2, 1), nn.ReLU(), nn.Conv1d(2, 2, 1), nn.Tanh(), nn.ReLU6()])

    def forward(self, x, mask):
        for layer in self.layers:
            x = layer(x)
            if isinstance(layer, nn.Conv1d):
                x *= mask
            if isinstance(layer, nn.Hardtanh):
                x = x * 2
            elif isinstance(layer, (nn.Tanh, nn.Sigmoid)):
                x += 1  # error: IP101
        return x


Masked()(torch.rand(1, 1, 4), torch.ones(4)).sum().backward()
