"""Initialisation, inference, splits and out=."""

import torch
from torch import nn


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)
        m.bias.data.fill_(0.01)


net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
net.apply(init)
w = torch.empty(3, requires_grad=True)
nn.init.normal_(w)
emb = torch.zeros(5, 2, requires_grad=True)
with torch.no_grad():
    emb[0] = 1
    emb.uniform_()
try:
    emb[0] = 1  # error: IP202
except RuntimeError as e:
    print(e)
try:
    w.data[0] = 2
    w.normal_()  # error: IP201
except RuntimeError as e:
    print(e)
with torch.inference_mode():
    feats = net(torch.ones(1, 2))
g = feats * w.sum()  # error: IP206
try:
    g.sum().backward()
except RuntimeError as e:
    print(e)
base = torch.ones(4, requires_grad=True) * 2
a, b = base.split(2)
try:
    a += 1  # behind: IP203
except RuntimeError as e:
    print(e)
c = base[:2]
c += 1
base.sum().backward()
out = torch.empty(3)
try:
    torch.add(w, w, out=out)  # behind: IP207
except RuntimeError as e:
    print(e)
torch.exp(torch.ones(3), out=out)
