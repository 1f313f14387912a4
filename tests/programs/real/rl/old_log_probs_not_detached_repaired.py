import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 16)
        self.pi = nn.Linear(16, 3)
        self.v = nn.Linear(16, 1)

    def forward(self, obs):
        h = torch.tanh(self.body(obs))
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def main():
    torch.manual_seed(30)
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)
    for _ in range(3):
        obs, rewards = torch.randn(6, 4), torch.randn(6)
        dist, value = policy(obs)
        actions = dist.sample()
        old_log_probs = dist.log_prob(actions).detach()
        advantage = rewards - value.detach()
        for _ in range(2):
            dist, value = policy(obs)
            ratio = torch.exp(dist.log_prob(actions) - old_log_probs)
            clipped = ratio.clamp(0.8, 1.2)
            loss = -torch.min(ratio * advantage, clipped * advantage).mean() + F.mse_loss(value, rewards)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return policy


policy = main()
