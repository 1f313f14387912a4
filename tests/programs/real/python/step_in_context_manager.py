import contextlib

import torch
from torch import nn


@contextlib.contextmanager
def stepping(*optimizers):
    for opt in optimizers:
        opt.zero_grad()
    yield
    for opt in optimizers:
        opt.step()  # error: IP102


G = nn.Sequential(nn.Linear(2, 5), nn.ReLU(), nn.Linear(5, 3))
D = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 1))
og, od = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())
for _ in range(2):
    fake = G(torch.randn(4, 2))
    judged = D(fake)
    with stepping(od):
        (D(torch.randn(4, 3)) - D(fake.detach())).mean().backward()
    with stepping(og):
        judged.mean().backward()
