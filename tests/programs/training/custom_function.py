"""A custom Function checks what it saved with save_for_backward."""

import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 2 * x * gradient


x = torch.rand(3, requires_grad=True)
h = x + 1
out = Square.apply(h)
out.add_(1)
out.sum().backward()

h = x + 1
out = Square.apply(h)
h.add_(1)  # error: IP101
out.sum().backward()
