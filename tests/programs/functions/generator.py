"""A generator hands out tensors, the loop writes them."""

import torch


def layers(x):
    for _ in range(2):
        yield x.exp()


x = torch.rand(2, requires_grad=True)
total = 0
for y in layers(x):
    total = total + y.sum()
    y.zero_()  # error: IP101
total.backward()
