"""The actor's loss runs through the critic after the critic's step, so its graph keeps the new weights; the env
writes its own array."""

import gymnasium as gym
import numpy as np
import torch
from torch import nn


class Reach(gym.Env):
    observation_space = gym.spaces.Box(-np.inf, np.inf, (2,), np.float32)
    action_space = gym.spaces.Box(-1.0, 1.0, (2,), np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.position = self.np_random.normal(size=2).astype(np.float32)
        return self.position.copy(), {}

    def step(self, action):
        self.position += 0.1 * action
        return self.position.copy(), -float(np.square(self.position).sum()), False, False, {}


env = Reach()
actor = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2), nn.Tanh())
critic = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
actor_optimizer = torch.optim.Adam(actor.parameters(), lr=1e-3)
critic_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)

observation, _ = env.reset(seed=0)
for _ in range(2):
    state = torch.from_numpy(observation)
    action = actor(state)
    observation, reward, *_ = env.step(action.detach().numpy())
    critic_loss = (critic(torch.cat((state, action.detach()))) - reward).square().mean()
    critic_optimizer.zero_grad()
    critic_loss.backward()
    critic_optimizer.step()
    actor_loss = -critic(torch.cat((state, action))).mean()
    actor_optimizer.zero_grad()
    actor_loss.backward()
    actor_optimizer.step()
