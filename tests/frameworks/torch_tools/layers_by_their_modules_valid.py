"""Layers are named by the modules that torch keeps them in; what Flatten gives is copied before it is written."""

import torch
import torch.nn.modules.linear as linear
from torch.nn import modules

torch.manual_seed(0)
layer = linear.Linear(3, 4)
squash = torch.nn.modules.activation.Tanh()
flatten = modules.Flatten(0)
scale = torch.nn.parameter.Parameter(torch.ones(()))
hidden = squash(layer(torch.randn(2, 3)))
flat = flatten(hidden).clone()
flat *= 2
(flat.sum() * scale).backward()
