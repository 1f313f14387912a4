# unsafe: Collect the rows in a list: `h = torch.stack(h)`, `c = torch.stack(c)` after the loop (every value that the loop writes must have the shape and type of a row of the buffer; `c` shares the memory and keeps the old values; `h` shares the memory and keeps the old values)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
cell = nn.LSTMCell(4, 3)
h, c = torch.zeros(3, 1, 3), torch.zeros(3, 1, 3)
h = list(h)
c = list(c)
for t in range(2):
    h[t + 1], c[t + 1] = cell(x[None], (h[t], c[t]))
h = torch.stack(h)
c = torch.stack(c)
h.sum().backward()
