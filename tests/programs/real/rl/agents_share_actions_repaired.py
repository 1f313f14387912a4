"""Every agent gets the actions of the actors as they are at its turn."""

import torch
from torch import nn


class Agent:
    def __init__(self):
        self.actor = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(10, 8), nn.ReLU(), nn.Linear(8, 1))
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), 0.1)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), 0.1)


agents = [Agent(), Agent()]


def learn():
    states = [torch.randn(7, 3) for _ in agents]
    joined = torch.cat(states, 1)
    for agent in agents:
        actions = torch.cat([agent.actor(state) for agent, state in zip(agents, states)], 1)
        value = agent.critic(torch.cat([joined, torch.randn(7, 4)], 1)).flatten()
        critic_loss = (value - 1).pow(2).mean()
        agent.critic_opt.zero_grad()
        critic_loss.backward()
        agent.critic_opt.step()
        actor_loss = -agent.critic(torch.cat([joined, actions], 1)).mean()
        agent.actor_opt.zero_grad()
        actor_loss.backward(retain_graph=True)
        agent.actor_opt.step()


for _ in range(2):
    learn()
