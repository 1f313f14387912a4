"""One of two calls makes the write a hazard."""

import torch


def halve(t):
    t.mul_(0.5)  # error: IP101
    return t


halve(torch.rand(3))
x = torch.rand(3, requires_grad=True)
y = x.tanh()
loss = y.sum() + halve(y).sum()
loss.backward()
