"""What the backward of a custom Function never asks for is not checked."""

import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


x = torch.rand(3, requires_grad=True)
h = x + 1
out = Double.apply(h)
h.add_(1)
out.sum().backward()
