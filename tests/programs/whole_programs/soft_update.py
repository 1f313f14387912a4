"""A target network follows softly."""

import copy

import torch
from torch import nn

online = nn.Linear(4, 2)
target = copy.deepcopy(online)
for p in target.parameters():
    p.requires_grad_(False)
opt = torch.optim.Adam(online.parameters(), lr=1e-3)


def soft_update(tau=0.01):
    for tp, p in zip(target.parameters(), online.parameters()):
        tp.data.mul_(1 - tau).add_(tau * p.data)


for _ in range(3):
    s = torch.randn(8, 4)
    q = online(s).gather(1, torch.zeros(8, 1, dtype=torch.long))
    with torch.no_grad():
        y = target(s).max(1, keepdim=True)[0]
    loss = nn.functional.smooth_l1_loss(q, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    soft_update()
