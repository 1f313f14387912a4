"""One of the pieces of a projection loses a dimension in place."""

import torch
from torch import nn

project = nn.Linear(6, 12)
x = torch.randn(1, 6)
query, key = project(x).split(6, 1)
query.squeeze_(0)  # error: IP203
(key @ query).sum().backward()
