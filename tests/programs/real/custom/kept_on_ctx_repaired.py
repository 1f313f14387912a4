"""It is saved with save_for_backward, and the caller uses a copy."""

import torch


class UnitNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / x.norm()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return grad / n - x * (grad * x).sum() / n**3


w = torch.randn(4, requires_grad=True)
h = w * 2
unit = UnitNorm.apply(h)
h = h + 1.0
(unit.sum() + h.sum()).backward()
