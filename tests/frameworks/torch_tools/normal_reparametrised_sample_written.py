"""The reparametrised sample is clamped in place after the log-probability, which squares its distance to the mean, has been taken."""

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
    squashed = action.tanh()
    squashed.clamp_(min=-0.9, max=0.9)  # error: IP101
    loss = (0.2 * log_prob - critic(squashed).squeeze(dim=-1)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
