"""Import styles."""

import torch as th
import torch.nn.functional as func
from torch import nn as layers
from torch import relu_, zeros
from torch.nn.functional import relu as rectify

x = th.rand(3, requires_grad=True)
y = th.exp(x)
relu_(y)  # error: IP101
y.sum().backward()

y = x.exp()
rectify(y, inplace=True)  # error: IP101
y.sum().backward()

y = x.exp()
func.hardtanh(y, inplace=True)  # error: IP101
y.sum().backward()

y = x.exp()
layers.ReLU(True)(y)  # error: IP101
y.sum().backward()

buffer = zeros(3)
buffer.add_(x)
buffer.sum().backward()
