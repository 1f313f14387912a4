"""A hypernetwork assigns its output to .data of a layer's weight: its own parameters get no gradient."""

import torch
import torch.nn.functional as F
from torch import nn

hyper = nn.Linear(2, 6)
layer = nn.Linear(3, 2)
z, x = torch.randn(2), torch.randn(4, 3)
generated = hyper(z).view(2, 3)
layer.weight.data = generated  # error: IP302
out = layer(x)
out.pow(2).mean().backward()
