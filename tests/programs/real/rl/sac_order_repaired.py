"""The actor's loss is built after the critic's step."""

import copy

import torch
import torch.nn.functional as F
from torch import nn


class QNet(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.fc1 = nn.Linear(s + a, 16)
        self.fc2 = nn.Linear(16, 1)

    def forward(self, s, a):
        x = torch.cat([s, a], dim=1)
        return self.fc2(F.relu(self.fc1(x)))


actor = nn.Linear(3, 2)
q1 = QNet(3, 2)
q1_target = copy.deepcopy(q1)
actor_optimizer = torch.optim.Adam(actor.parameters(), lr=1e-3)
q_optimizer = torch.optim.Adam(q1.parameters(), lr=1e-3)
tau = 0.005


def update(batch):
    s, a, r, s2 = batch
    with torch.no_grad():
        y = r + 0.99 * q1_target(s2, torch.tanh(actor(s2)))
    q_loss = F.mse_loss(q1(s, a), y)
    q_optimizer.zero_grad()
    q_loss.backward()
    q_optimizer.step()
    pi_loss = -q1(s, torch.tanh(actor(s))).mean()
    actor_optimizer.zero_grad()
    pi_loss.backward()
    actor_optimizer.step()
    with torch.no_grad():
        for p, p_targ in zip(q1.parameters(), q1_target.parameters()):
            p_targ.data.mul_(1 - tau)
            p_targ.data.add_(tau * p.data)


for _ in range(2):
    update((torch.randn(4, 3), torch.randn(4, 2), torch.rand(4, 1), torch.randn(4, 3)))
