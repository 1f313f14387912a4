"""A gradient reversal returns its input as it is, and the discriminator's first layer works in place on it."""

import torch
from torch import nn


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.alpha, None


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.LeakyReLU(0.2, inplace=True)
        self.fc = nn.Linear(4, 1)

    def forward(self, f, alpha=1.0):
        f = Reverse.apply(f, alpha)
        return self.fc(self.act(f))  # error: IP303


features = nn.Linear(3, 4)
Discriminator()(features(torch.randn(2, 3))).mean().backward()
