# Methods that do nothing before their object has lived for a while: a buffer, a counter, a flag, a phase.
import random
from collections import deque

import torch
from torch import nn, optim
from torch.nn import functional as F


class Transitions:
    def __init__(self, size):
        self.size = size
        self.written = 0
        self.rows = torch.zeros(size, 6)

    def store(self, state, action):
        self.rows[self.written % self.size] = torch.cat([state, action])
        self.written += 1

    def is_ready(self, count):
        return self.written >= count

    def sample(self, count):
        rows = self.rows[torch.randint(0, min(self.written, self.size), (count,))]
        return rows[:, :4], rows[:, 4:]


class Agent:
    def __init__(self):
        self.actor = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
        self.critic = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))
        self.actor_optimizer = optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_optimizer = optim.Adam(self.critic.parameters(), lr=1e-3)
        self.transitions = Transitions(64)
        self.recent = deque(maxlen=64)
        self.steps = 0
        self.warm = False
        self.phase = "collect"

    def remember(self, state, action):
        self.transitions.store(state, action)
        self.recent.append((state, action))
        self.steps += 1
        if self.steps > 20:
            self.warm = True
            self.phase = "train"

    def losses(self, states, actions):
        value = self.critic(torch.cat([states, actions], 1))
        wanted = self.critic(torch.cat([states, self.actor(states)], 1))
        return F.mse_loss(value, torch.ones(len(states), 1)), -wanted.mean()

    def learn_from_buffer(self):
        if not self.transitions.is_ready(16):
            return
        critic_loss, actor_loss = self.losses(*self.transitions.sample(8))
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()  # error: IP102
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()

    def learn_from_recent(self):
        if len(self.recent) < 16:
            return
        states, actions = zip(*random.sample(self.recent, 8), strict=True)
        critic_loss, actor_loss = self.losses(torch.stack(states), torch.stack(actions))
        critic_loss.backward()
        self.critic_optimizer.step()  # error: IP102
        actor_loss.backward()
        self.actor_optimizer.step()

    def learn_often(self, states, actions):
        updates = 0 if self.steps < 30 else 2
        for _ in range(updates):
            critic_loss, actor_loss = self.losses(states, actions)
            critic_loss.backward()
            self.critic_optimizer.step()  # error: IP102
            actor_loss.backward()
            self.actor_optimizer.step()

    def learn_when_warm(self, states, actions):
        if self.warm:
            critic_loss, actor_loss = self.losses(states, actions)
            critic_loss.backward()
            self.critic_optimizer.step()  # error: IP102
            actor_loss.backward()
            self.actor_optimizer.step()

    def learn_in_phase(self, states, actions):
        if self.phase == "collect":
            return
        critic_loss, actor_loss = self.losses(states, actions)
        critic_loss.backward()
        self.critic_optimizer.step()  # error: IP102
        actor_loss.backward()
        self.actor_optimizer.step()


class Learner:
    """Only a part of it changes, and a method tells how."""

    def __init__(self):
        self.actor = nn.Linear(4, 2)
        self.critic = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))
        self.actor_optimizer = optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_optimizer = optim.Adam(self.critic.parameters(), lr=1e-3)
        self.transitions = Transitions(64)

    def __stored(self):
        return self.transitions.written

    def learn(self):
        updates = 0 if self.__stored() < 16 else 2
        for _ in range(updates):
            states, actions = self.transitions.sample(8)
            critic_loss = self.critic(torch.cat([states, actions], 1)).pow(2).mean()
            actor_loss = -self.critic(torch.cat([states, self.actor(states)], 1)).mean()
            critic_loss.backward()
            self.critic_optimizer.step()  # error: IP102
            actor_loss.backward()
            self.actor_optimizer.step()


def train():
    learner = Learner()
    agent = Agent()
    for _ in range(40):
        agent.remember(torch.rand(4), torch.rand(2))
        learner.transitions.store(torch.rand(4), torch.rand(2))
        states, actions = torch.rand(8, 4), torch.rand(8, 2)
        try:
            learner.learn()
        except RuntimeError:
            pass
        try:
            agent.learn_from_buffer()
        except RuntimeError:
            pass
        try:
            agent.learn_from_recent()
        except RuntimeError:
            pass
        try:
            agent.learn_often(states, actions)
        except RuntimeError:
            pass
        try:
            agent.learn_when_warm(states, actions)
        except RuntimeError:
            pass
        try:
            agent.learn_in_phase(states, actions)
        except RuntimeError:
            pass


train()
