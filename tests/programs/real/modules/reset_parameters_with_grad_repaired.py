"""nn.init writes under no_grad."""

import torch
import torch.nn as nn


class Expert(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Parameter(torch.empty(dim, dim))
        self.b = nn.Parameter(torch.empty(dim))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.normal_(self.w, std=0.02)
        nn.init.zeros_(self.b)

    def forward(self, x):
        return x @ self.w + self.b


Expert(3)(torch.randn(2, 3)).sum().backward()
