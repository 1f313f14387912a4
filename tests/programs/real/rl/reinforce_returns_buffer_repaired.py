"""Returns are normalised before the loss."""

import torch
from torch import nn

policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
eps = 1e-8


def run_episode(length=6):
    log_probs, rewards = [], []
    for _ in range(length):
        logits = policy(torch.randn(4))
        m = torch.distributions.Categorical(logits=logits)
        action = m.sample()
        log_probs.append(m.log_prob(action))
        rewards.append(float(torch.rand(1)))
    return torch.stack(log_probs), rewards


def discounted(rewards, gamma=0.99):
    R, out = 0.0, []
    for r in rewards[::-1]:
        R = r + gamma * R
        out.insert(0, R)
    return torch.tensor(out)


for episode in range(2):
    log_probs, rewards = run_episode()
    returns = discounted(rewards)
    returns -= returns.mean()
    returns /= returns.std() + eps
    policy_loss = -(log_probs * returns).sum()
    optimizer.zero_grad()
    policy_loss.backward()
    optimizer.step()
