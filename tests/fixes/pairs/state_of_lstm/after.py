# unsafe: Carry `h` over without its history: `h = tuple(part.detach() for part in h)` after the backward (no gradient flows into earlier iterations)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
net = nn.LSTM(4, 3)
h = None
for _ in range(3):
    out, h = net(x[None], h)
    loss = out.sum()
    loss.backward()
    h = tuple(part.detach() for part in h)
