"""The rollout is collected under no_grad into preallocated buffers, and each epoch walks only the graph it has
built itself."""

import gymnasium as gym
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
env = gym.make("CartPole-v1")
policy = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
value = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=3e-4, eps=1e-5)

steps = 6
states, actions = torch.zeros(steps, 4), torch.zeros(steps, dtype=torch.long)
old_log_probs, rewards, values = torch.zeros(steps), torch.zeros(steps), torch.zeros(steps + 1)
observation, _ = env.reset(seed=0)
for t in range(steps):
    states[t] = torch.as_tensor(observation)
    with torch.no_grad():
        dist = Categorical(logits=policy(states[t]))
        actions[t] = dist.sample()
        old_log_probs[t] = dist.log_prob(actions[t])
        values[t] = value(states[t]).squeeze()
    observation, rewards[t], terminated, truncated, _ = env.step(actions[t].item())

advantages, last = torch.zeros(steps), 0.0
for t in reversed(range(steps)):
    delta = rewards[t] + 0.99 * values[t + 1] - values[t]
    advantages[t] = last = delta + 0.99 * 0.95 * last
returns = advantages + values[:-1]
advantages -= advantages.mean()
advantages /= advantages.std() + 1e-8
for epoch in range(2):
    for batch in torch.randperm(steps).split(3):
        new_log_probs = Categorical(logits=policy(states[batch])).log_prob(actions[batch])
        ratio = (new_log_probs - old_log_probs[batch]).exp()
        gain = torch.min(ratio * advantages[batch], ratio.clamp(0.8, 1.2) * advantages[batch])
        loss = nn.functional.mse_loss(value(states[batch]).squeeze(-1), returns[batch]) - gain.mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        optimizer.step()
env.close()
