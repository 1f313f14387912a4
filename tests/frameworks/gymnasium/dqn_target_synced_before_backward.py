"""The target network is copied over while the loss, which was not cut off from it, still needs its old weights."""

import copy

import gymnasium as gym
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
env = gym.make("CartPole-v1")
online = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
target = copy.deepcopy(online)
optimizer = torch.optim.Adam(online.parameters(), lr=1e-3)

memory = []
observation, _ = env.reset(seed=0)
for _ in range(6):
    action = int(torch.randint(2, ()))
    following, reward, terminated, truncated, _ = env.step(action)
    memory.append((observation, action, reward, following))
    observation = following

state, action, reward, following = (torch.as_tensor(np.array(column)) for column in zip(*memory))
expected = reward + 0.99 * target(following).max(dim=1).values
chosen = online(state).gather(1, action.unsqueeze(1)).squeeze(1)
loss = nn.functional.smooth_l1_loss(chosen, expected)
target.load_state_dict(online.state_dict())  # error: IP102
optimizer.zero_grad()
loss.backward()
optimizer.step()
env.close()
