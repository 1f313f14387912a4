"""Generalised advantage estimation into a preallocated buffer under no_grad, several epochs over it."""

import torch
import torch.nn as nn


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.Tanh())
        self.pi = nn.Linear(16, 2)
        self.v = nn.Linear(16, 1)

    def forward(self, x):
        h = self.body(x)
        return self.pi(h), self.v(h).squeeze(-1)


@torch.no_grad()
def compute_gae(rewards, values, dones, gamma=0.99, lam=0.95):
    adv = torch.zeros_like(rewards)
    last = 0
    for t in reversed(range(len(rewards) - 1)):
        delta = rewards[t] + gamma * values[t + 1] * (1 - dones[t]) - values[t]
        last = delta + gamma * lam * (1 - dones[t]) * last
        adv[t] = last
    return adv


model = ActorCritic()
opt = torch.optim.Adam(model.parameters(), lr=3e-4, eps=1e-5)
obs = torch.zeros(8, 4)
for step in range(8):
    obs[step] = torch.randn(4)
actions = torch.randint(0, 2, (8,))
rewards, dones = torch.rand(8), torch.zeros(8)
with torch.no_grad():
    logits, values = model(obs)
    logp_old = torch.log_softmax(logits, -1)[torch.arange(8), actions]
adv = compute_gae(rewards, values, dones)
returns = adv + values
adv = (adv - adv.mean()) / (adv.std() + 1e-8)
for epoch in range(3):
    logits, v = model(obs)
    logp = torch.log_softmax(logits, -1)[torch.arange(8), actions]
    ratio = (logp - logp_old).exp()
    pg = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
    loss = pg + 0.5 * (returns - v).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    opt.step()
