"""Whether two parts of one tensor overlap depends on its extents: those of a layer's result are known, too."""

import torch
from torch import nn

x = torch.rand(2, 3, requires_grad=True)
rows = nn.Linear(3, 4)(x)
rows[1:] += rows[:-1]

rows = nn.Linear(3, 4)(torch.rand(3, 3))
try:
    rows[1:] += rows[:-1]  # error: IP205
except RuntimeError as error:
    print(error)

rows = torch.inner(x, x)
try:
    rows -= rows.t()  # error: IP205
except RuntimeError as error:
    print(error)

line = torch.rand(3) * 2
line[...] = line[-1]
