"""Each state is a tensor of its own."""

import torch
from torch import nn

torch.manual_seed(0)
W = nn.Parameter(torch.randn(6, 6) * 0.1)
U = nn.Parameter(torch.randn(6, 3) * 0.1)


def unroll(inputs, n_steps):
    state = torch.zeros(n_steps + 1, 6)
    last = state[0]
    history = [last]
    for t in torch.arange(n_steps):
        last = torch.tanh(W @ last + U @ inputs[t])
        history.append(last)
    return torch.stack(history)


out = unroll(torch.randn(7, 3), 7)
out.pow(2).mean().backward()
print(W.grad.norm().item())
