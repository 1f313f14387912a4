"""The raw scores are masked in place before the distribution reads them, and the action is shifted out of place."""

import torch
from torch import nn
from torch.distributions import Categorical

policy = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
legal = torch.as_tensor(data=[[True, True, False]])

for _ in range(2):
    scores = policy(torch.randn(2, 4))
    scores.masked_fill_(~legal, -1e8)
    dist = Categorical(logits=scores)
    entropy = dist.entropy()
    action = dist.sample()
    log_prob = dist.log_prob(value=action)
    log_prob *= torch.randn(2)
    move = action + 1
    move.clamp_(max=2)
    loss = -log_prob.mean() - 0.01 * entropy.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
