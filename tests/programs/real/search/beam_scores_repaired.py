"""Scores are rebound."""

import torch
from torch import nn

lm = nn.Linear(4, 6)
state = torch.randn(2, 4)
scores = torch.zeros(2, 1)
history = []
for step in range(3):
    logp = torch.log_softmax(lm(state), dim=-1)
    total = scores + logp
    best, idx = total.topk(2, dim=-1)
    prob = best.exp()
    history.append((prob * best).sum())
    state = state + 0.1 * idx.float().mean()
    best = best - best.mean()
    scores = best[:, :1]
sum(history).backward()
