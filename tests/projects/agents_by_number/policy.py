"""A policy remembers what it did since it was reset."""

import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
        self.reset()

    def reset(self):
        self.log_probabilities = []
        self.value = torch.zeros(1)

    def forward(self, state):
        return self.net(state).log_softmax(-1)


class Members:
    """A team of policies, each with an optimizer of its own."""

    def __init__(self, count):
        self.count = count
        self.policies, self.optimizers = [], []
        for _ in range(self.count):
            policy = Policy()
            self.policies.append(policy)
            self.optimizers.append(torch.optim.SGD(policy.parameters(), lr=0.1))

    def act(self, states):
        for i in range(self.count):
            for state in states:
                self.policies[i].log_probabilities.append(self.policies[i](state))
            self.policies[i].value = self.policies[i].log_probabilities[-1].exp()
