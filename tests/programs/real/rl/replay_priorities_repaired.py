import random

import torch
from torch import nn


class PrioritizedReplay:
    def __init__(self, capacity, alpha=0.6):
        self.capacity, self.alpha = capacity, alpha
        self.storage, self.pos = [], 0
        self.priorities = torch.zeros(capacity)

    def add(self, item, priority):
        if len(self.storage) < self.capacity:
            self.storage.append(item)
        else:
            self.storage[self.pos] = item
        self.priorities[self.pos] = priority
        self.pos = (self.pos + 1) % self.capacity

    def sample(self, n):
        p = self.priorities[: len(self.storage)] ** self.alpha
        idx = torch.multinomial(p / p.sum(), n, replacement=True)
        weights = (len(self.storage) * p[idx] / p.sum()) ** -0.4
        return [self.storage[i] for i in idx], idx, weights / weights.max()


net = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters())
replay = PrioritizedReplay(6)
for step in range(4):
    obs, ret = torch.randn(3), torch.rand(())
    td = (net(obs).squeeze() - ret).abs()
    replay.add((obs, ret), td.item() + 1e-3)
    batch, idx, w = replay.sample(3)
    obs_b, ret_b = (torch.stack(z) for z in zip(*batch))
    err = net(obs_b).squeeze(-1) - ret_b
    loss = (w * err.pow(2)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
