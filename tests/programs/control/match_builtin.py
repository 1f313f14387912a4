"""Patterns of builtin classes fit or do not fit, and only the body of the one that fits is run."""

import torch

w = torch.rand(3, requires_grad=True)
h = w + 2
y = h * h
match ("scale", 2):
    case "grow":
        h.add_(1)
    case (int(), number):
        h.mul_(number)
    case (str(name), int(number)):
        z = h * number
    case _:
        h.zero_()
match 3:
    case str():
        h.add_(1)
    case int(number) | float(number):
        y.mul_(number)
(y.sum() + z.sum()).backward()

match h:
    case list():
        y = 0
    case torch.Tensor():
        y = h.exp()
        y.add_(1)  # error: IP101
y.sum().backward()
