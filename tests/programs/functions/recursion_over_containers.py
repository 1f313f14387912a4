"""A function that goes down nested containers is called once for each of their tensors, however deep these lie."""

import torch


def halve_(value):
    if isinstance(value, torch.Tensor):
        return value.mul_(0.5)  # error: IP101
    if isinstance(value, dict):
        return {name: halve_(part) for name, part in value.items()}
    return [halve_(part) for part in value]


def move(value, device):
    if isinstance(value, torch.Tensor):
        return value.to(device, copy=True)
    if isinstance(value, dict):
        return {name: move(part, device) for name, part in value.items()}
    return [move(part, device) for part in value]


def power(x, depth):
    return x if depth == 0 else power(x * x, depth - 1)


w = torch.randn(3, requires_grad=True)
moved = move({"layers": [{"weights": [w.exp(), w * 2]}]}, "cpu")
loss = moved["layers"][0]["weights"][1].pow(2).sum()
moved["layers"][0]["weights"][0].add_(1)
loss.backward()

power(w, 3).sum().backward()
halve_({"layers": [{"weights": [w.exp(), w * 2]}]})["layers"][0]["weights"][0].sum().backward()
