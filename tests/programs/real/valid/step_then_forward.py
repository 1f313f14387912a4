"""Steps between forwards, as often as one likes."""

import torch
from torch import nn

a, b = nn.Linear(2, 2), nn.Linear(2, 1)
opt_a, opt_b = torch.optim.SGD(a.parameters(), lr=0.1), torch.optim.Adagrad(b.parameters())
x = torch.randn(4, 2)
for _ in range(2):
    loss = b(torch.relu(a(x))).mean()
    opt_a.zero_grad()
    opt_b.zero_grad()
    loss.backward()
    opt_a.step()
    opt_b.step()
    b(a(x).detach()).mean().backward()
    opt_b.step()
    with torch.no_grad():
        preview = b(a(x))
        preview += 1
