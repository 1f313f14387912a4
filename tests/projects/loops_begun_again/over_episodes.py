"""An environment says itself whether an episode is over; its next reset lets the loop over steps begin again."""

import torch
from torch import nn


class Learner:
    def __init__(self, environment):
        self.environment = environment
        self.policy = nn.Linear(3, 1)
        self.optimizer = torch.optim.SGD(self.policy.parameters(), lr=0.1)


class KeepsAllLosses(Learner):
    def play(self, episodes):
        losses = []
        for _ in range(episodes):
            state = self.environment.reset()
            while not self.environment.over:
                losses.append(self.policy(state).exp().sum())
                state = self.environment.step(0)
                if self.environment.over:
                    self.optimizer.zero_grad()
                    sum(losses).backward()  # error: IP103
                    self.optimizer.step()


class KeepsLossesOfOneEpisode(Learner):
    def play(self, episodes):
        for _ in range(episodes):
            losses = []
            state = self.environment.reset()
            while not self.environment.over:
                losses.append(self.policy(state).exp().sum())
                state = self.environment.step(0)
                if self.environment.over:
                    self.optimizer.zero_grad()
                    sum(losses).backward()
                    self.optimizer.step()
