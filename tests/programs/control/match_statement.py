"""A match statement chooses the write."""

import torch


def act(y, kind):
    match kind:
        case "shift":
            y.add_(1)  # error: IP101
        case "none":
            pass
    return y


x = torch.rand(3, requires_grad=True)
act(x.exp(), "shift").sum().backward()
act(x.exp(), "none").sum().backward()
