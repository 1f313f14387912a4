"""`out[t] = f(out[t - 1])` raises if f keeps its input."""

import torch


def unroll(x, f):
    out = torch.zeros(4, 3)
    out[0] = x
    for t in range(1, 4):
        out[t] = f(out[t - 1])  # error: IP101
    return out


x = torch.rand(3, requires_grad=True)
unroll(x, torch.sin).sum().backward()
