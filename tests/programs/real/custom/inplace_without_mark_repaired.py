"""It does."""

import torch
from torch.autograd import Function


class LeakyInplace(Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.slope = slope
        x[x < 0] *= slope
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        grad = grad.clone()
        grad[y < 0] *= ctx.slope
        return grad, None


h = torch.randn(4, requires_grad=True) + 0.5
LeakyInplace.apply(h, 0.1).sum().backward()
