"""Said to be an error, is none: addition and multiplication by a number need no values."""

import torch


def shifted(x):
    y = x.clone()
    y += 2
    return y * 3


x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
shifted(x).sum().backward()
print(x.grad)
