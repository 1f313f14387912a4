"""ConvLSTM with in-place sums onto products, which keep their factors and not their result."""

import torch
import torch.nn as nn


class ConvLSTMCell(nn.Module):
    def __init__(self, cin, hid):
        super().__init__()
        self.hid = hid
        self.conv = nn.Conv2d(cin + hid, 4 * hid, 3, padding=1)

    def forward(self, x, state):
        h, c = state
        gates = self.conv(torch.cat([x, h], dim=1))
        i, f, o, g = torch.split(gates, self.hid, dim=1)
        c_next = torch.sigmoid(f) * c
        c_next += torch.sigmoid(i) * torch.tanh(g)
        h_next = torch.sigmoid(o) * torch.tanh(c_next)
        return h_next, c_next


cell = ConvLSTMCell(1, 2)
h = c = torch.zeros(1, 2, 4, 4)
outs = torch.zeros(3, 1, 2, 4, 4)
for t in range(3):
    h, c = cell(torch.randn(1, 1, 4, 4), (h, c))
    outs[t] = h
outs.mean().backward()
