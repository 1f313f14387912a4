"""Observations and rewards carry no gradient, so returns are normalised in place while only the log
probabilities keep graphs."""

import gymnasium as gym
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
env = gym.make("CartPole-v1", max_episode_steps=8)
policy = nn.Sequential(nn.Linear(4, 16), nn.Dropout(p=0.2), nn.ReLU(inplace=True), nn.Linear(16, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)

for episode in range(2):
    observation, _ = env.reset(seed=episode)
    log_probs, rewards, done = [], [], False
    while not done:
        dist = Categorical(logits=policy(torch.as_tensor(observation).unsqueeze(0)))
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        observation, reward, terminated, truncated, _ = env.step(action.item())
        rewards.append(reward)
        done = terminated or truncated
    returns = torch.zeros(len(rewards))
    running = 0.0
    for t in reversed(range(len(rewards))):
        running = rewards[t] + 0.99 * running
        returns[t] = running
    returns -= returns.mean()
    returns /= returns.std() + 1e-8
    loss = -(torch.cat(log_probs) * returns).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
env.close()
