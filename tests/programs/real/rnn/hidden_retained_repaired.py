"""The state is detached."""

import torch
import torch.nn as nn

rnn = nn.RNNCell(4, 4)
head = nn.Linear(4, 1)
opt = torch.optim.SGD(list(rnn.parameters()) + list(head.parameters()), lr=0.01)
h = torch.zeros(2, 4)
for t in range(3):
    x, y = torch.randn(2, 4), torch.randn(2, 1)
    h = rnn(x, h.detach())
    loss = (head(h) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
