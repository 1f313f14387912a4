"""A view that a custom Function gives out belongs to it: neither it nor its base may be written."""

import torch


class Flat(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)

    @staticmethod
    def backward(ctx, gradient):
        return gradient.view(2, 3)


class Rows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x[0], x[1]

    @staticmethod
    def backward(ctx, first, second):
        return torch.stack([first, second])


class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x + 1, x * 2

    @staticmethod
    def backward(ctx, first, second):
        return first + 2 * second


w = torch.rand(2, 3, requires_grad=True)
h = w * 1
flat = Flat.apply(h)
try:
    flat.add_(1)  # error: IP303
except RuntimeError as error:
    print(error)
h.add_(1)  # error: IP303
try:
    flat.exp()
except RuntimeError as error:
    print(error)

first, second = Rows.apply(w * 1)
try:
    first.add_(1)  # error: IP203
except RuntimeError as error:
    print(error)

first, second = Both.apply(w)
first.add_(1)
(first.exp() + second).sum().backward()
