"""A hook of an optimizer writes what a graph has kept."""

import torch
from torch import nn

net = nn.Linear(2, 2)
scale = torch.ones(2)
optimizer = torch.optim.SGD([net.bias], 0.1)
optimizer.register_step_post_hook(hook=lambda optimizer, args, kwargs: scale.mul_(2))  # error: IP101
loss = (net(torch.rand(3, 2)) * scale).sum()
optimizer.step()
loss.backward()
