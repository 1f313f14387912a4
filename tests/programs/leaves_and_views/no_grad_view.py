"""Views made under no_grad."""

import torch


def head_of(t):
    with torch.no_grad():
        return t[:2]


x = torch.rand(4, requires_grad=True)
y = x * 2
head = head_of(y)
with torch.no_grad():
    head.add_(1)
head.add_(1)  # error: IP204
