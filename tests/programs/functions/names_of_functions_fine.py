"""No function is registered under the name of another; what only a second one of that name would do is not done."""

import torch

NORMS = {}
buffer = torch.zeros(3)


def register(function):
    if function.__name__ in NORMS:
        NORMS["latest"] = buffer.add_(1)
    NORMS[function.__name__] = function
    return function


@register
def squared(x):
    return (x * buffer).square().sum()


@register
def cubed(x):
    return (x * buffer).pow(3).sum()


def counted(x):
    counted.calls += 1
    if counted.calls > 1:
        buffer.add_(1)
    return x * buffer


x = torch.ones(3, requires_grad=True)
losses = NORMS["squared"](x) + NORMS["cubed"](x)
counted.calls = 0
(losses + counted(x).sum()).backward()
