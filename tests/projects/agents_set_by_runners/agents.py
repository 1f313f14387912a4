"""Agents whose networks somebody else sets, and whose optimizers another method makes."""

import copy

import torch
from torch.nn import functional as F


class Agent:
    def __init__(self, discount):
        self.discount = discount
        self.actor = None
        self.critic = None
        self.replay = None

    def prepare(self, settings, replay):
        self.replay = replay
        self.actor_optimizer = getattr(torch.optim, settings.optimizer)(self.actor.parameters(), lr=settings.rate)
        self.critic_optimizer = getattr(torch.optim, settings.optimizer)(self.critic.parameters(), lr=settings.rate)
        self.target = copy.deepcopy(self.critic)

    def find_target(self, reward, following):
        with torch.no_grad():
            return reward + self.discount * self.target(following, self.actor(following))

    def step(self, optimizer, loss):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class EarlyAgent(Agent):
    def learn(self):
        seen, action, reward, following = self.replay.sample()
        policy_loss = -self.critic(seen, self.actor(seen)).mean()
        critic_loss = F.mse_loss(self.critic(seen, action), self.find_target(reward, following))
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()  # error: IP102
        self.actor_optimizer.zero_grad()
        policy_loss.backward()
        self.actor_optimizer.step()


class LateAgent(Agent):
    def learn(self):
        seen, action, reward, following = self.replay.sample()
        critic_loss = F.mse_loss(self.critic(seen, action), self.find_target(reward, following))
        self.step(self.critic_optimizer, critic_loss)
        self.step(self.actor_optimizer, -self.critic(seen, self.actor(seen)).mean())
