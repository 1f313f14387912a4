"""The entropy has kept the distribution's normalised `logits`, so masking them in place afterwards breaks backward."""

import torch
from torch import nn
from torch.distributions import Categorical

policy = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
legal = torch.as_tensor(data=[[True, True, False]])

for _ in range(2):
    dist = Categorical(logits=policy(torch.randn(2, 4)))
    entropy = dist.entropy()
    dist.logits.masked_fill_(~legal, -1e8)  # error: IP101
    action = dist.sample()
    loss = -(dist.log_prob(value=action) * torch.randn(2)).mean() - 0.01 * entropy.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
