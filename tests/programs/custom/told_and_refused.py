"""`mark_dirty` makes the write in `forward` a recorded one: what may not be written is refused as ever."""

import torch


class Leaf(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)  # error: IP201
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class View(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)  # error: IP202
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Chunk(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.add_(1)  # error: IP203

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Part(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.add_(1)  # error: IP101

    @staticmethod
    def backward(ctx, gradient):
        return gradient


w = torch.rand(4, requires_grad=True)
for function, given in ((Leaf, w), (View, w[:2]), (Chunk, (w * 2).chunk(2)[0])):
    try:
        function.apply(given)
    except RuntimeError as error:
        print(error)

h = w * 2
Part.apply(h[:2]).mul_(2)
h.sum().backward()

h = w * 2
y = h.sigmoid()
z = h.exp()
Part.apply(h[:2])
(y.sum() + h.sum()).backward()

h = w * 2
y = h * h
Part.apply(h[:2])
(y.sum() + h.sum()).backward()
