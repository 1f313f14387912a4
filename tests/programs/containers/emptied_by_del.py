"""A list that `del` empties holds no graph of the round before; one that keeps an element does."""

import torch
from torch import nn

policy = nn.Linear(3, 2)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)


class Episode:
    def __init__(self):
        self.terms = []
        self.rewards = []


def finish(episode):
    total = torch.stack([-term for term in episode.terms]).sum()
    optimizer.zero_grad()
    total.backward()
    optimizer.step()


whole = Episode()
for _ in range(3):
    for _ in range(2):
        whole.terms.append(torch.log_softmax(policy(torch.rand(3)), dim=0)[0])
        whole.rewards.append(1.0)
    finish(whole)
    del whole.terms[:]
    del whole.rewards[:]

replaced = []
for _ in range(3):
    replaced.append(policy(torch.rand(3)).exp())
    torch.stack(replaced).sum().backward()
    replaced[:] = []

part = []
for _ in range(3):
    part.append(policy(torch.rand(3)).exp())
    part.append(policy(torch.rand(3)).exp())
    torch.stack(part).sum().backward()  # error: IP103
    del part[1:]
