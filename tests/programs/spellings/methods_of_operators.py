"""What a class says to unary operators, comparisons, `in` and truth is done."""

import torch


class Wrapped:
    def __init__(self, tensor):
        self.tensor = tensor

    def __neg__(self):
        return Wrapped(-self.tensor)

    def __lt__(self, other):
        self.tensor.clamp_(max=other)  # error: IP101
        return True

    def __contains__(self, other):
        self.tensor.add_(other)  # error: IP101
        return True


class Flag:
    def __init__(self, on):
        self.on = on

    def __bool__(self):
        return self.on


class Stack:
    def __init__(self):
        self.items = []

    def __len__(self):
        return len(self.items)


def try_backward(loss):
    try:
        loss.backward()
    except RuntimeError as error:
        print(error)


hidden = torch.ones(3, requires_grad=True).exp()
negated = -Wrapped(hidden)
negated.tensor.mul_(2)
hidden.sum().backward()

hidden = Wrapped(torch.ones(3, requires_grad=True).exp())
small = hidden < 2
try_backward(hidden.tensor.sum())

hidden = Wrapped(torch.ones(3, requires_grad=True).exp())
found = 1.0 in hidden
try_backward(hidden.tensor.sum())

hidden = torch.ones(3, requires_grad=True).exp()
if Flag(False) or Stack() or not Flag(True):
    hidden.zero_()
hidden.sum().backward()

hidden = torch.ones(3, requires_grad=True).exp()
if not Stack():
    hidden.zero_()  # error: IP101
try_backward(hidden.sum())
