"""The old log probabilities keep the rollout's graph, so the second epoch goes back through a graph that the
first one freed."""

import gymnasium as gym
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
env = gym.make("CartPole-v1")
policy = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(policy.parameters(), lr=0.01)

states, actions, old_log_probs, rewards = [], [], [], []
observation, _ = env.reset(seed=0)
for _ in range(6):
    state = torch.as_tensor(observation)
    dist = Categorical(logits=policy(state))
    action = dist.sample()
    states.append(state)
    actions.append(action)
    old_log_probs.append(dist.log_prob(action))
    observation, reward, *_ = env.step(action.item())
    rewards.append(reward)

states, actions, old_log_probs = map(torch.stack, (states, actions, old_log_probs))
advantages = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
advantages -= advantages.mean()
for epoch in range(2):
    new_log_probs = Categorical(logits=policy(states)).log_prob(actions)
    ratio = (new_log_probs - old_log_probs).exp()
    loss = -torch.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages).mean()
    optimizer.zero_grad()
    loss.backward()  # error: IP103
    optimizer.step()
env.close()
