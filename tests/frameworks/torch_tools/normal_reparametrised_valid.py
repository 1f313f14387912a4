"""The log-probability is corrected in place, which only a sum made, and the squashed action is clamped out of place."""

import torch
from torch import nn
from torch.distributions import Independent, Normal

actor = nn.Linear(4, 4)
critic = nn.Linear(2, 1)
optimizer = torch.optim.Adam(params=actor.parameters(), lr=1e-3)

for _ in range(2):
    mean, log_std = actor(torch.randn(3, 4)).chunk(chunks=2, dim=-1)
    policy = Independent(base_distribution=Normal(loc=mean, scale=log_std.exp()), reinterpreted_batch_ndims=1)
    action = policy.rsample()
    log_prob = policy.log_prob(value=action)
    log_prob -= (2 * (action - nn.functional.softplus(-2 * action))).sum(dim=-1)
    squashed = action.tanh().clamp(min=-0.9, max=0.9)
    loss = (0.2 * log_prob - critic(squashed).squeeze(dim=-1)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
