"""A module initialises its parameters without no_grad."""

import torch
import torch.nn as nn


class Expert(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Parameter(torch.empty(dim, dim))
        self.b = nn.Parameter(torch.empty(dim))
        self.reset_parameters()

    def reset_parameters(self):
        self.w.normal_(std=0.02)  # error: IP201
        self.b.zero_()  # behind: IP201

    def forward(self, x):
        return x @ self.w + self.b


Expert(3)(torch.randn(2, 3)).sum().backward()
