# unsafe: Collect the rows in a list: `h = torch.stack(h, dim=1)` after the loop (every value that the loop writes must have the shape and type of a row of the buffer)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
h = torch.zeros(4, 5)
h = list(h.unbind(1))
for t in range(1, 5):
    h[t] = torch.sin(h[t - 1]) + x
h = torch.stack(h, dim=1)
h.sum().backward()
