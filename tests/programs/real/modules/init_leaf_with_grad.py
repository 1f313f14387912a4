"""Weights are initialised by hand with grad mode on."""

import math

import torch
import torch.nn as nn


class NoisyLinear(nn.Module):
    def __init__(self, in_features, out_features, sigma=0.5):
        super().__init__()
        self.in_features = in_features
        self.weight_mu = nn.Parameter(torch.empty(out_features, in_features))
        self.weight_sigma = nn.Parameter(torch.empty(out_features, in_features))
        self.register_buffer("weight_epsilon", torch.zeros(out_features, in_features))
        self.sigma = sigma
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.in_features)
        self.weight_mu.uniform_(-bound, bound)  # error: IP201
        self.weight_sigma.data.fill_(self.sigma * bound)

    def forward(self, x):
        self.weight_epsilon.normal_()
        return nn.functional.linear(x, self.weight_mu + self.weight_sigma * self.weight_epsilon)


layer = NoisyLinear(4, 2)
layer(torch.randn(3, 4)).sum().backward()
