"""A closure writes a variable of its function."""

import torch


def train(x):
    state = x.exp()

    def reset():
        state.zero_()  # error: IP101

    loss = state.sum()
    reset()
    loss.backward()


train(torch.rand(3, requires_grad=True))
