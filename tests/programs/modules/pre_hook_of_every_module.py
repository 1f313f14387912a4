"""A pre-hook of every module writes what goes into the next layer: the sigmoid before has kept it."""

import torch
import torch.nn.modules.module as every
from torch import nn

handle = every.register_module_forward_pre_hook(lambda module, inputs: (inputs[0].mul_(2),))  # error: IP101
net = nn.Sequential(nn.Linear(3, 3), nn.Sigmoid(), nn.Linear(3, 1))
out = net(torch.randn(2, 3)).sum()
handle.remove()
net(torch.randn(2, 3)).sum().backward()
out.backward()
