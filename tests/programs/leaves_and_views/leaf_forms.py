"""Every form of a write to a leaf is refused."""

import torch


def attempt(write):
    try:
        write()
    except RuntimeError as error:
        print(error)


w = torch.rand(3, requires_grad=True)


def add():
    w.add_(1)  # error: IP201


def fill():
    w.zero_()  # error: IP201


def by_mask():
    w[w > 0.5] = 0  # error: IP201


def by_index():
    w[torch.tensor([0, 1])] = 0  # error: IP201


def by_slice():
    w[1:] = 0  # error: IP202


def by_ellipsis():
    w[...] = 0  # error: IP201


def whole():
    w[:] = 0  # error: IP201


def copied():
    w.copy_(torch.zeros(3))  # error: IP201


def function_form():
    torch.relu_(w)  # error: IP201


for write in (add, fill, by_mask, by_index, by_slice, by_ellipsis, whole, copied, function_form):
    attempt(write)
