"""A write through `.data` is harmless if the old values are put back before the walk: all of them, by a copy."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4))
shadow = [p.detach().clone() * 0.5 for p in net.parameters()]
for _ in range(2):
    loss = net(torch.randn(2, 3)).pow(2).mean()
    backup = [p.data.clone() for p in net.parameters()]
    for p, s in zip(net.parameters(), shadow):
        p.data.copy_(s)
    with torch.no_grad():
        net(torch.randn(2, 3))
    for p, b in zip(net.parameters(), backup):
        p.data.copy_(b)
    loss.backward()
loss = net(torch.randn(2, 3)).pow(2).mean()
for p, s in zip(net.parameters(), shadow):
    p.data.copy_(s)  # error: IP301
for p, b in zip(net.parameters(), backup):
    p.data[:1].copy_(b[:1])  # error: IP301
loss.backward()
loss = net(torch.randn(2, 3)).pow(2).mean()
old = {n: p.data for n, p in net.named_parameters()}
for (n, p), s in zip(net.named_parameters(), shadow):
    p.data = s
for n, p in net.named_parameters():
    p.data = old[n]
loss.backward()
w = torch.randn(3, requires_grad=True)
z = (w * w).sum()
kept = w.detach().clone()
w.data.add_(1)
w.data = kept
z.backward()
z = (w * w).sum()
w.data = w.data + 1  # error: IP301
z.backward()
