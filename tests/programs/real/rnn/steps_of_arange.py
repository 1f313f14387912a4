"""A buffer of states, indexed by the elements of an arange: each is a number, so the index is a view."""

import torch
from torch import nn

torch.manual_seed(0)
W = nn.Parameter(torch.randn(6, 6) * 0.1)
U = nn.Parameter(torch.randn(6, 3) * 0.1)


def unroll(inputs, n_steps):
    state = torch.zeros(n_steps + 1, 6)
    for t in torch.arange(n_steps):
        state[t + 1] = torch.tanh(W @ state[t] + U @ inputs[t])  # error: IP101
    return state


out = unroll(torch.randn(7, 3), 7)
out.pow(2).mean().backward()
print(W.grad.norm().item())
