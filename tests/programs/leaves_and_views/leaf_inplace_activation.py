"""An activation with inplace=True on the input of the network."""

import torch
from torch import nn

x = torch.rand(3, requires_grad=True)
nn.ReLU(inplace=True)(x)  # error: IP201
