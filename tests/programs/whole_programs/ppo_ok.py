"""PPO with GAE written backwards into a buffer and minibatches over several epochs."""

import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, obs_dim=4, n_actions=2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, n_actions), nn.Linear(32, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


T = 16
agent = ActorCritic()
optim = torch.optim.Adam(agent.parameters(), lr=3e-4, eps=1e-5)
obs = torch.zeros(T, 4)
actions, logprobs, rewards, values = (torch.zeros(T) for _ in range(4))
next_obs = torch.randn(4)
for t in range(T):
    obs[t] = next_obs
    with torch.no_grad():
        dist, value = agent(next_obs)
        action = dist.sample()
        logprobs[t] = dist.log_prob(action)
        values[t] = value
    actions[t] = action
    rewards[t] = torch.rand(())
    next_obs = torch.randn(4)

advantages = torch.zeros_like(rewards)
lastgaelam = 0
for t in reversed(range(T)):
    nextvalue = values[t + 1] if t < T - 1 else 0.0
    delta = rewards[t] + 0.99 * nextvalue - values[t]
    advantages[t] = lastgaelam = delta + 0.99 * 0.95 * lastgaelam
returns = advantages + values

for epoch in range(2):
    for idx in torch.randperm(T).split(4):
        dist, new_v = agent(obs[idx])
        ratio = (dist.log_prob(actions[idx]) - logprobs[idx]).exp()
        adv = advantages[idx]
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        pg = torch.max(-adv * ratio, -adv * ratio.clamp(0.8, 1.2)).mean()
        loss = pg + 0.5 * (new_v - returns[idx]).pow(2).mean() - 0.01 * dist.entropy().mean()
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optim.step()
