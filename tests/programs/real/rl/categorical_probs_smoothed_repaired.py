"""They are smoothed before."""

import torch
from torch import nn
from torch.distributions import Categorical

policy = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2), nn.Softmax(dim=-1))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
log_probs, rewards = [], []
for t in range(3):
    probs = policy(torch.randn(1, 4))
    probs = probs + 1e-6
    m = Categorical(probs)
    action = m.sample()
    log_probs.append(m.log_prob(action))
    rewards.append(float(torch.rand(1)))
returns = torch.tensor(rewards)
returns -= returns.mean()
loss = -(torch.cat(log_probs) * returns).sum()
optimizer.zero_grad()
loss.backward()
optimizer.step()
