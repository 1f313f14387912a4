"""Behind an `assert`, and behind a test whose arm raises, it is known how the test came out."""

import torch


def scale_by(x, factor):
    y = x.exp()
    if factor == 0:
        raise ValueError("no factor")
    if factor == 0:
        y.mul_(0)  # nobody comes here
    return y.sum()


def add_bias(x, bias=None):
    y = x.sigmoid()
    assert bias is not None
    if bias is None:
        y.add_(1)  # nor here
    return (y + bias).sum()


def choose_mode(x, mode):
    y = x.tanh()
    torch._assert(mode == "fast", "only one mode is left")
    if mode != "fast":
        y.neg_()  # nor here
    if mode == "fast":
        y.mul_(2)  # error: IP101
    return y.sum()


def several_at_once(x, bias, ready):
    y = x.exp()
    if bias is None or not ready:
        raise ValueError("not yet")
    assert not (bias is None or ready == "later")
    if bias is None or not ready or ready == "later":
        y.sqrt_()  # nor here
    return (y + bias).sum()


def make_even(x, layer):
    if not isinstance(layer, torch.nn.Conv2d):
        raise TypeError("no convolution")
    with torch.no_grad():
        layer.weight.mul_(2)
    y = layer(x)
    layer.weight.data.mul_(2)  # error: IP301
    return y.sum()


def flag(x, mode):
    is_fast = mode == "fast"
    y = x.sqrt()
    if not is_fast:
        y.zero_()  # error: IP101
    return y.sum()


x = torch.rand(3, requires_grad=True)
scale_by(x, 2).backward()
add_bias(x, torch.ones(3)).backward()
several_at_once(x, torch.ones(3), True).backward()
make_even(torch.rand(1, 1, 3, 3), torch.nn.Conv2d(1, 1, 2)).backward()
for loss in (choose_mode(x, "fast"), flag(x, "slow")):
    try:
        loss.backward()
    except RuntimeError as error:
        print(error)
