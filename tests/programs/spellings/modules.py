"""Modules are called and built by keyword, too."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        nn.Module.__init__(self)
        self.layer = nn.Linear(in_features=2, out_features=2)
        self.stack = nn.Sequential(nn.Linear(2, 2), nn.ReLU(inplace=True))
        self.lstm = nn.LSTM(input_size=2, hidden_size=2, batch_first=True)

    def forward(self, x):
        y = self.layer(input=x).tanh()
        z = self.stack(input=y)
        y.mul_(2)  # error: IP101
        return y, z


def states(net, x):
    h = torch.rand(1, 3, 2, requires_grad=True).sigmoid()
    out, _ = net.lstm(input=x.unsqueeze(1), hx=(h, torch.zeros(1, 3, 2)))
    h.mul_(2)  # error: IP101
    return out


def attended(net, x):
    attention = nn.MultiheadAttention(embed_dim=2, num_heads=1, batch_first=True)
    keys = x.unsqueeze(0).sigmoid()
    out, weights = attention(query=keys, key=keys, value=keys, need_weights=False)
    keys.mul_(2)  # error: IP101
    return out


def wrapped(net, x):
    y = x.sigmoid()
    out = nn.DataParallel(module=net.layer)(input=y)
    y.mul_(2)  # error: IP101
    return out


def anything(net, x):
    y = nn.Identity(54, unused=True)(x.sigmoid())
    return nn.ConvTranspose1d(2, 2, kernel_size=1)(input=y.unsqueeze(-1), output_size=[1])


net = Net()
x = torch.rand(3, 2, requires_grad=True)
for call in (lambda net, x: sum(net(x)), states, attended, wrapped, anything):
    try:
        call(net, x).sum().backward()
    except RuntimeError:
        pass
