"""tensordot joins the dimensions it sums over: where they are not adjacent in that order, it saves a copy."""

import torch

w = torch.randn(3, 4, 5, requires_grad=True)
v = torch.randn(4, 3, 2, requires_grad=True)


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


h = w * 2
y = torch.tensordot(h, torch.randn(4, 5, 2, requires_grad=True))
h.add_(1)  # error: IP101
walk(y)

h = w * 2
y = torch.tensordot(h, v, dims=([1, 0], [0, 1]))
h.add_(1)
walk(y)

k = v * 2
y = torch.tensordot(w, k, dims=([1, 0], [0, 1]))
k.add_(1)  # error: IP101
walk(y)

h = w * 2
y = torch.tensordot(h, v, dims=([0, 1], [1, 0]))
h.add_(1)  # error: IP101
walk(y)

k = v * 2
y = torch.tensordot(w, k, dims=([0, 1], [1, 0]))
k.add_(1)
walk(y)

h = w * 2
y = torch.tensordot(h, torch.randn(5, 3, 2, requires_grad=True), dims=([2, 0], [0, 1]))
h.add_(1)
walk(y)

h = w * 2
y = torch.tensordot(h, torch.randn(5, 2), 1)
h.add_(1)
walk(y)
