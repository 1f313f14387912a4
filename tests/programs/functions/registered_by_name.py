"""Functions that a decorator of their file registers under a name: each is judged, and so is who looks one up."""

import torch

LOSSES = {}


def register(name):
    def decorate(function):
        if name in LOSSES:
            raise ValueError(f"{name} is {LOSSES[name]} already")
        LOSSES[name] = function
        return function

    return decorate


def compute(name, x):
    return LOSSES[name](x)


@register("squashed")
def squash(x):
    return x.sigmoid()


@register("scaled")
def scale(x):
    y = x.exp()
    y.mul_(2)  # error: IP101
    return y.sum()


@register("shifted")
def shift(x):
    y = x + 1
    y.mul_(2)
    return y.sum()


def double_squashed(x):
    y = compute("squashed", x)
    y.mul_(2)  # error: IP101
    return y.sum()


def double_shifted(x):
    y = compute("shifted", x)
    y.mul_(2)
    return y


def list_losses(x):
    found = [loss(x) for loss in LOSSES.values()]
    found[0].add_(1)  # error: IP101
    return found[0].sum()


@register("refers")
def refer_to_another(x):
    y = LOSSES["squashed"](x)
    y.sub_(1)  # error: IP101
    return y.sum()


x = torch.rand(3, requires_grad=True)
for run in (scale, shift, double_squashed, double_shifted, list_losses, refer_to_another):
    try:
        run(x).sum().backward()
    except RuntimeError as error:
        print(error)
