"""The log-probability gathers by the sampled action and keeps it, so turning the action into a move in place changes the indices that backward needs."""

import torch
from torch import nn
from torch.distributions import Categorical

policy = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)

for _ in range(2):
    scores = policy(torch.randn(2, 4))
    dist = Categorical(logits=scores)
    action = dist.sample()
    log_prob = dist.log_prob(value=action)
    action.sub_(1)  # error: IP101
    scores.zero_()  # error: IP101
    loss = -(log_prob * torch.randn(2)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
