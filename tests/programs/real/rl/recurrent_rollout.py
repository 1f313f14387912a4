from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Config:
    num_steps: int = 4
    num_envs: int = 2
    obs_dim: int = 3
    gamma: float = 0.99
    hidden: int = 5


class Agent(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(cfg.obs_dim, cfg.hidden), nn.Tanh())
        self.gru = nn.GRUCell(cfg.hidden, cfg.hidden)
        self.actor = nn.Linear(cfg.hidden, 2)
        self.critic = nn.Linear(cfg.hidden, 1)

    def step(self, obs, state, done):
        state = self.gru(self.encoder(obs), state * (1 - done).unsqueeze(-1))
        dist = Categorical(logits=self.actor(state))
        action = dist.sample()
        return action, dist.log_prob(action), self.critic(state).squeeze(-1), state


def train(cfg: Config):
    agent = Agent(cfg)
    optimizer = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
    state = torch.zeros(cfg.num_envs, cfg.hidden)
    done = torch.zeros(cfg.num_envs)
    for update in range(3):
        logprobs = torch.zeros(cfg.num_steps, cfg.num_envs)
        values = torch.zeros(cfg.num_steps, cfg.num_envs)
        rewards = torch.zeros(cfg.num_steps, cfg.num_envs)
        for step in range(cfg.num_steps):
            obs = torch.randn(cfg.num_envs, cfg.obs_dim)
            action, logprob, value, state = agent.step(obs, state, done)
            logprobs[step] = logprob
            values[step] = value
            rewards[step] = torch.rand(cfg.num_envs)
            done = (torch.rand(cfg.num_envs) < 0.1).float()
        advantage = rewards - values.detach()
        loss = -(logprobs * advantage).mean() + (values - rewards).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()  # error: IP103
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optimizer.step()


train(Config())
