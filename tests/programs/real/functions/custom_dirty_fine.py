"""A custom in-place function that marks its input as dirty."""

import torch
from torch.autograd import Function


class InplaceScale(Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        x.mul_(factor)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None


a = torch.randn(3, requires_grad=True)
b = a * 2
InplaceScale.apply(b, 3.0)
b.sum().backward()
