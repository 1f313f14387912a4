"""Actor and critic share a step."""

import torch
from torch import nn

policy = nn.Linear(4, 2)
value = nn.Linear(4, 1)
opt = torch.optim.Adam(list(policy.parameters()) + list(value.parameters()))
states = torch.randn(10, 4)
logp = torch.log_softmax(policy(states), dim=1)[:, 0]
v = value(states).squeeze(-1)
returns = torch.zeros(10)
R = 0.0
rewards = torch.randn(10)
for t in reversed(range(10)):
    R = rewards[t] + 0.99 * R
    returns[t] = R
adv = returns - v
adv -= adv.mean()
adv /= adv.std() + 1e-8
actor = -(logp * adv.detach()).mean()
critic = (returns - v).pow(2).mean()
opt.zero_grad()
actor.backward()
opt.step()
critic.backward()
opt.step()
