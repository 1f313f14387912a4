"""Autograd calls the backward of a custom Function without grad mode: `out=` is allowed there, and refused elsewhere."""

import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        grad_x = torch.empty_like(x)
        torch.mm(grad, weight.t(), out=grad_x)
        return grad_x, x.t() @ grad


def multiply(x, weight):
    result = torch.empty(2, 4)
    torch.mm(x, weight, out=result)  # error: IP207
    return result


x = torch.rand(2, 3, requires_grad=True)
weight = torch.rand(3, 4, requires_grad=True)
Product.apply(x, weight).sum().backward()
multiply(x, weight)
