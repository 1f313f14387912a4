"""`torch.where` of a condition alone gives indices, which carry no graph."""

import torch
from torch import nn

linear = nn.Linear(3, 3)
x = torch.tensor([[1.0, -1.0, 2.0]])
y = linear(x)

rows, columns = torch.where(x > 0)
scale = columns.sqrt()
scale += 1
indices = torch.where(x < 0)
offset = indices[0] + 1
offset += 1
(y[rows, columns] * scale).sum().backward()

y = linear(x)
chosen = torch.where(x > 0, y.exp(), y)
chosen += 1
chosen.sum().backward()

y = linear(x)
chosen = torch.where(condition=x > 0, input=y, other=y.exp())
doubled = chosen.pow(2)
chosen += 1  # error: IP101
try:
    doubled.sum().backward()
except RuntimeError as error:
    print(error)
