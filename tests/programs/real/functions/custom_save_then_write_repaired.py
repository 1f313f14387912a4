"""The caller writes to a copy."""

import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


square = Square.apply
inp = torch.randn(4, requires_grad=True)
h = inp + 1
out = square(h)
h = h.clone().zero_()
(out.sum() + h.sum()).backward()
