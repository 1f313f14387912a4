"""The environment hands out its own array, the tensor made from it shares the memory, and the env's update
changes it unseen."""

import gymnasium as gym
import numpy as np
import torch
from torch import nn


class Drift(gym.Env):
    observation_space = gym.spaces.Box(-np.inf, np.inf, (3,), np.float32)
    action_space = gym.spaces.Discrete(2)

    def __init__(self):
        self.state = np.zeros(3, dtype=np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state[:] = self.np_random.normal(size=3)
        return self.state, {}

    def step(self, action):
        self.state += 0.1 if action else -0.1  # error: IP301
        return self.state, -float(np.abs(self.state).sum()), False, False, {}


torch.manual_seed(0)
env = Drift()
policy = nn.Linear(3, 2)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
observation, _ = env.reset(seed=0)
loss = torch.zeros(())
for _ in range(3):
    logits = policy(torch.from_numpy(observation))
    dist = torch.distributions.Categorical(logits=logits)
    action = dist.sample()
    observation, reward, *_ = env.step(action.item())
    loss = loss - reward * dist.log_prob(action)
optimizer.zero_grad()
loss.backward()
optimizer.step()
