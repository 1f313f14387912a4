"""Instead of detaching the state, retain_graph=True is passed: now the step breaks the older graph."""

import torch
import torch.nn as nn

rnn = nn.RNNCell(4, 4)
head = nn.Linear(4, 1)
opt = torch.optim.SGD(list(rnn.parameters()) + list(head.parameters()), lr=0.01)
h = torch.zeros(2, 4)
for t in range(3):
    x, y = torch.randn(2, 4), torch.randn(2, 1)
    h = rnn(x, h)
    loss = (head(h) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()  # error: IP102
