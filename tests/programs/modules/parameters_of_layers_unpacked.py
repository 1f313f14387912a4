"""The parameters of a recurrent cell and of a network of two layers, unpacked and by name: nobody keeps a bias."""

import torch
from torch import nn

cell = nn.GRUCell(3, 4)
w_ih, w_hh, b_ih, b_hh = cell.parameters()
h = cell(torch.randn(2, 3), torch.randn(2, 4))
loss = h.sum()
with torch.no_grad():
    b_ih.add_(1)
    b_hh.add_(1)
loss.backward()
conv = nn.Conv2d(3, 4, 3)
bn = nn.BatchNorm2d(4)
net = nn.Sequential(conv, bn)
out = net(torch.randn(2, 3, 8, 8)).pow(2).sum()
names = [n for n, _ in net.named_parameters()]
params = dict(zip(names, net.parameters()))
with torch.no_grad():
    params["0.bias"].zero_()
    params["1.bias"].zero_()
    list(net.buffers())[2].zero_()
    params["1.weight"].fill_(1)  # error: IP101
out.backward()
