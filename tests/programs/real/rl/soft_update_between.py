"""The target network is moved while the TD loss through it is still to be walked."""

import torch
import torch.nn as nn


def soft_update(target, source, tau):
    with torch.no_grad():
        for t, s in zip(target.parameters(), source.parameters()):
            t.mul_(1.0 - tau).add_(tau * s)  # error: IP101


online = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
target = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
target.load_state_dict(online.state_dict())
opt = torch.optim.SGD(online.parameters(), lr=0.1)
s, s_next, r = torch.randn(6, 4), torch.randn(6, 4), torch.rand(6, 1)
for _ in range(2):
    td_error = r + 0.9 * target(s_next) - online(s)
    loss = td_error.square().mean()
    opt.zero_grad()
    soft_update(target, online, 0.01)
    loss.backward()
    opt.step()
