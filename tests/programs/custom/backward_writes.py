"""What the backward of a custom Function writes is missed by whoever needs it after that."""

import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return x.mul_(2).mul_(gradient)  # error: IP101


class Kept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        result = 2 * gradient * ctx.x
        ctx.x.zero_()  # error: IP303
        return result


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y * 2

    @staticmethod
    def backward(ctx, gradient):
        (y,) = ctx.saved_tensors
        return y.mul_(gradient).mul_(2)


w = torch.rand(3, requires_grad=True)
Exp.apply(w).sum().backward()

y = Kept.apply(w * 1)
y.sum().backward(retain_graph=True)
y.sum().backward()

Square.apply(w.exp()).sum().backward()
