"""The gradient that a backward is given may be one element, expanded: after a plain sum it is."""

import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        gradient *= 2  # error: IP205
        return gradient


class Careful(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        gradient = gradient.clone()
        gradient[0] = 0
        return gradient * 2


w = torch.rand(3, requires_grad=True)
Careful.apply(w).sum().backward()
(Double.apply(w) ** 2).sum().backward()
(Double.apply(w) + w).sum().backward()
