"""A custom normalisation keeps its input on ctx; the caller reuses the buffer before the backward."""

import torch


class UnitNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x / x.norm()

    @staticmethod
    def backward(ctx, grad):
        x = ctx.x
        n = x.norm()
        return grad / n - x * (grad * x).sum() / n**3


w = torch.randn(4, requires_grad=True)
h = w * 2
unit = UnitNorm.apply(h)
h.add_(1.0)  # error: IP303
(unit.sum() + h.sum()).backward()
