import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
cell = nn.LSTMCell(4, 3)
h, c = torch.zeros(3, 1, 3), torch.zeros(3, 1, 3)
for t in range(2):
    h[t + 1], c[t + 1] = cell(x[None], (h[t], c[t]))
h.sum().backward()
