"""Two optimizers step one after another; what the first one writes the second loss does not need."""

import torch
import torch.nn as nn

trunk = nn.Linear(4, 6)
left, right = nn.Linear(6, 1), nn.Linear(6, 1)
opt_left = torch.optim.Adam(left.parameters())
opt_right = torch.optim.Adam(right.parameters())
opt_trunk = torch.optim.SGD(trunk.parameters(), lr=0.1)
for _ in range(2):
    z = torch.relu(trunk(torch.randn(3, 4)))
    loss_left, loss_right = left(z).mean(), right(z).mean()
    for o in (opt_left, opt_right, opt_trunk):
        o.zero_grad()
    loss_left.backward(retain_graph=True)
    opt_left.step()
    loss_right.backward()
    opt_right.step()
    opt_trunk.step()
