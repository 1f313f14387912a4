"""A custom Function by inheritance, by class methods, with a context set up apart, called by another name."""

import torch
from torch.autograd.function import once_differentiable


class Base(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x


class Inherited(Base):
    @staticmethod
    @once_differentiable
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 2 * x * gradient


class OfTheClass(torch.autograd.Function):
    @classmethod
    def forward(cls, ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @classmethod
    def backward(cls, ctx, gradient):
        (x,) = ctx.saved_tensors
        return 2 * x * gradient


class Apart(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, factor):
        return x.exp() * factor

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.factor = inputs
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, gradient):
        (y,) = ctx.saved_tensors
        return gradient * y, None


w = torch.rand(3, requires_grad=True)
square = Inherited.apply
h = w * 1
y = square(h)
h.add_(1)  # error: IP101
y.sum().backward()

h = w * 1
y = OfTheClass.apply(h)
h.add_(1)  # error: IP101
y.sum().backward()

h = w * 1
y = Apart.apply(h, 2.0)
h.add_(1)
y.mul_(2)  # error: IP101
y.sum().backward()
