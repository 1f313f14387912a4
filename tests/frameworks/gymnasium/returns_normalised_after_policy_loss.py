"""The policy loss keeps the returns it multiplied with, and they are normalised in place for the baseline
before backward."""

import gymnasium as gym
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
env = gym.make("CartPole-v1", max_episode_steps=6)
policy, baseline = nn.Linear(4, 2), nn.Linear(4, 1)
optimizer = torch.optim.Adam([*policy.parameters(), *baseline.parameters()], lr=1e-2)

observation, _ = env.reset(seed=0)
states, log_probs, rewards, done = [], [], [], False
while not done:
    state = torch.as_tensor(observation)
    dist = Categorical(logits=policy(state))
    action = dist.sample()
    states.append(state)
    log_probs.append(dist.log_prob(action))
    observation, reward, terminated, truncated, _ = env.step(action.item())
    rewards.append(reward)
    done = terminated or truncated
returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
policy_loss = -(torch.stack(log_probs) * returns).mean()
returns.sub_(returns.mean()).div_(returns.std() + 1e-8)  # error: IP101
value_loss = nn.functional.mse_loss(baseline(torch.stack(states)).squeeze(-1), returns)
optimizer.zero_grad()
(policy_loss + 0.5 * value_loss).backward()
optimizer.step()
env.close()
