# unsafe: Carry `h` over without its history: `h = h.detach()` after the backward (no gradient flows into earlier iterations)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
cell = nn.GRUCell(4, 3)
h = torch.zeros(1, 3)
for _ in range(3):
    h = cell(x[None], h)
    loss = h.sum()
    loss.backward()
    h = h.detach()
