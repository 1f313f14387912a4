"""The target network runs under no_grad, so copying the online weights over it before backward disturbs no
graph."""

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
with torch.no_grad():
    expected = target(following).max(dim=1).values
    expected.mul_(0.99).add_(reward)
chosen = online(state).gather(1, action.unsqueeze(1)).squeeze(1)
loss = nn.functional.smooth_l1_loss(chosen, expected)
target.load_state_dict(online.state_dict())
optimizer.zero_grad()
loss.backward()
optimizer.step()
for kept, learned in zip(target.parameters(), online.parameters()):
    kept.data.lerp_(learned.data, 0.005)
env.close()
