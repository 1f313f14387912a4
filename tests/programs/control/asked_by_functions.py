"""What functions of torch answer by a number or a flag decides which way a program takes."""

import torch

x = torch.rand(3, requires_grad=True)
other = x.detach().clone()


def normalise(values):
    if not torch.is_floating_point(values):
        raise ValueError("no probabilities")
    weights = (values - 1).exp()
    weights /= weights.sum()  # error: IP101
    return weights


def compare(values, expected):
    assert torch.allclose(values, expected)
    scaled = values.exp()
    scaled += 1  # error: IP101
    return scaled


def choose(values, expected):
    if torch.equal(values, expected):
        scaled = values.exp()
        scaled *= 2  # error: IP101
        return scaled
    return values * 2


def tell_apart(values):
    scaled = values.exp() if torch.is_complex(values) else values * 2
    if not torch.is_complex(values):
        scaled += 1
    return scaled


for function in (normalise, tell_apart):
    function(x * 1).sum().backward()
for function in (compare, choose):
    function(x * 1, other).sum().backward()
