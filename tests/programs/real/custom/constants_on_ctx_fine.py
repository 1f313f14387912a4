"""Shapes, flags and masks on ctx; the tensors on it are never written."""

import torch


class MaskedFill(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mask, value):
        ctx.mask = mask
        ctx.shape = x.shape
        out = x.clone()
        out[mask] = value
        return out

    @staticmethod
    def backward(ctx, grad):
        grad = grad.clone()
        grad[ctx.mask] = 0
        return grad.view(ctx.shape), None, None


x = torch.randn(3, 3, requires_grad=True)
y = MaskedFill.apply(x * 1, torch.eye(3, dtype=torch.bool), 0.0)
y += 1
y.mul_(2)
y.sum().backward()
