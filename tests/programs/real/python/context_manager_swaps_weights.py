"""A context manager swaps averaged weights in between forward and backward."""

import contextlib

import torch
from torch import nn

model = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.Linear(4, 1))
shadow = [p.detach().clone() for p in model.parameters()]


@contextlib.contextmanager
def averaged(model, shadow):
    backup = [p.detach().clone() for p in model.parameters()]
    with torch.no_grad():
        for p, s in zip(model.parameters(), shadow):
            p.copy_(s)  # error: IP101
    yield model
    with torch.no_grad():
        for p, b in zip(model.parameters(), backup):
            p.copy_(b)  # error: IP101


x = torch.randn(5, 3)
loss = model(x).mean()
with averaged(model, shadow) as m, torch.no_grad():
    print(m(x).mean())
loss.backward()
