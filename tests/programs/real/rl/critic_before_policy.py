"""The policy's loss goes through the critic as it was before its step."""

import torch
from torch import nn

policy = nn.Sequential(nn.Linear(3, 2), nn.Tanh())
critic = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
opt_policy, opt_critic = (torch.optim.Adam(net.parameters(), 0.1) for net in (policy, critic))
for _ in range(2):
    state = torch.randn(6, 3)
    seen = critic(torch.cat([state, torch.randn(6, 2)], 1))
    critic_loss = (seen - 1).pow(2).mean()
    policy_loss = -critic(torch.cat([state, policy(state)], 1)).mean()
    opt_critic.zero_grad()
    critic_loss.backward()
    opt_critic.step()  # error: IP102
    opt_policy.zero_grad()
    policy_loss.backward()
    opt_policy.step()
