"""try/except/else/finally around writes, for-else and while-else."""

import torch
from torch import nn


class Diverged(RuntimeError):
    pass


def check(x, limit=100.0):
    if x.detach().abs().max() > limit:
        raise Diverged
    return x


lin = nn.Linear(3, 3)
h = lin(torch.randn(2, 3)).sigmoid()
try:
    check(h)
except Diverged:
    h.zero_()
else:
    h = h * 2
    h.add_(1)
finally:
    h = h.clone()
for scale in (0.5, 0.25):
    if scale < 0.1:
        break
else:
    y = h.exp()
n = 0
while n < 2:
    n += 1
else:
    y -= 1  # error: IP101
y.sum().backward()
