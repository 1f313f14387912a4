"""A step writes only the parameters it was given."""

import torch
from torch import nn

trunk, head = nn.Linear(2, 3), nn.Linear(3, 1)
step_trunk = torch.optim.SGD(trunk.parameters(), lr=0.1)
step_head = torch.optim.SGD(head.parameters(), lr=0.1)

out = head(trunk(torch.rand(4, 2)))
out.sum().backward(retain_graph=True)
step_trunk.step()
out.square().sum().backward(retain_graph=True)
step_head.step()  # error: IP102
out.mean().backward()
