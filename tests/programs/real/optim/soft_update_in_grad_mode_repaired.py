import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


@torch.no_grad()
def soft_update(target, source, tau):
    for t, s in zip(target.parameters(), source.parameters()):
        t.mul_(1.0 - tau)
        t.add_(tau * s)


def main():
    torch.manual_seed(17)
    q = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    target_q = copy.deepcopy(q)
    optimizer = torch.optim.Adam(q.parameters(), lr=1e-2)
    for _ in range(3):
        s, s2, r = torch.randn(6, 4), torch.randn(6, 4), torch.randn(6)
        with torch.no_grad():
            y = r + 0.9 * target_q(s2).max(1).values
        loss = F.mse_loss(q(s)[:, 0], y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        soft_update(target_q, q, 0.05)
    return q, target_q


q, target_q = main()
