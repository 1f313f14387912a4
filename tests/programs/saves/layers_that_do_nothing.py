"""Identity, and dropout that is off, return the object itself."""

import torch
import torch.nn.functional as F
from torch import nn

x = torch.rand(3, requires_grad=True)
y = x.exp()
nn.Identity()(y).zero_()  # error: IP101
y.sum().backward()

y = x.exp()
F.dropout(y, 0.5, training=False).zero_()  # error: IP101
y.sum().backward()

y = x.exp()
F.dropout(y, 0.5, training=True).zero_()
y.sum().backward()
