"""The advantage is detached for the actor."""

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Actor(nn.Module):
    def __init__(self, obs_dim, n_actions):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs_dim, 16), nn.Tanh(), nn.Linear(16, n_actions))

    def forward(self, obs):
        return Categorical(logits=self.net(obs))


class Critic(nn.Module):
    def __init__(self, obs_dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs_dim, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, obs):
        return self.net(obs).squeeze(-1)


class Agent:
    def __init__(self, obs_dim=4, n_actions=2, gamma=0.99):
        self.actor = Actor(obs_dim, n_actions)
        self.critic = Critic(obs_dim)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.gamma = gamma

    def update(self, obs, action, reward, next_obs, done):
        value = self.critic(obs)
        next_value = self.critic(next_obs).detach()
        target = reward + self.gamma * next_value * (1 - done)
        advantage = target - value

        critic_loss = advantage.pow(2).mean()
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()

        dist = self.actor(obs)
        actor_loss = -(dist.log_prob(action) * advantage.detach()).mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()


agent = Agent()
for t in range(2):
    obs, next_obs = torch.randn(5, 4), torch.randn(5, 4)
    agent.update(obs, torch.randint(0, 2, (5,)), torch.rand(5), next_obs, torch.zeros(5))
