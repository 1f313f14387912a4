"""functools.partial, walrus, keyword-only arguments, comprehension-heavy."""

from functools import partial, reduce

import torch
from torch import nn


def layer(x, *, weight, bias=None, act=torch.relu, inplace=False):
    y = x @ weight
    if bias is not None:
        y += bias
    return act(y) if not inplace else act(y).mul_(1.0)  # error: IP101


weights = [torch.randn(4, 4, requires_grad=True) for _ in range(3)]
biases = [torch.zeros(4, requires_grad=True) for _ in range(3)]
steps = [partial(layer, weight=w, bias=b) for w, b in zip(weights, biases)]
x = torch.randn(2, 4)
out = reduce(lambda h, f: f(h), steps, x)
if (loss := out.square().mean()) >= 0:
    loss.backward()
last = partial(steps[-1], act=torch.sigmoid, inplace=True)
if (n := len(steps)) == 3 and (y := last(x)) is not None:
    sum(t.sum() for t in [y, y * n]).backward()
