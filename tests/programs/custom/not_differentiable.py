"""A result marked as not differentiable carries no graph: it may be written and computed with."""

import torch


class Split(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        kept = x > 0.5
        size = x.detach() * 3
        ctx.mark_non_differentiable(kept, size)
        ctx.save_for_backward(kept)
        return x * 2, kept, size

    @staticmethod
    def backward(ctx, gradient, *others):
        (kept,) = ctx.saved_tensors
        return gradient * kept


w = torch.rand(3, requires_grad=True)
y, kept, size = Split.apply(w)
grown = size.exp()
grown.add_(1)
y.mul_(2)
(y + grown).sum().backward()

y, kept, size = Split.apply(w)
kept.logical_not_()  # error: IP101
y.sum().backward()
