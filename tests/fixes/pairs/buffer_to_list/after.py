# unsafe: Collect the rows in a list: `h = torch.stack(h)` after the loop (every value that the loop writes must have the shape and type of a row of the buffer)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
h = torch.zeros(5, 4)
h = list(h)
for t in range(4):
    h[t + 1] = torch.sin(h[t]) + x  # why
h = torch.stack(h)
h.sum().backward()
