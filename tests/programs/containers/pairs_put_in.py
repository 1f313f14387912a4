"""A tuple is put in: torch takes none, so that what is written is a list of them."""

import torch


class Cached(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, caches):
        with torch.no_grad():
            for at in range(2):
                x = extend(x, at, caches)
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad, None


class Filled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, sums):
        sums[0] = x.sum()  # error: IP303
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad, None


def extend(x, at, caches):
    past = x[:, :1] if caches[at][0] is None else torch.cat([caches[at][0], x], dim=-1)
    caches[at] = (past, x)
    return x


def run(x, caches):
    return Cached.apply(x, caches)


w = torch.ones(2, 3, requires_grad=True)
run(w * 2, [(None, None), (None, None)]).sum().backward()
kept = w * 1
total = Filled.apply(w * 2, kept[0])
total.sum().backward()
