"""The base of agents: it plays episodes, each until the environment says that it is over."""

import torch
from torch import nn


class Agent:
    def __init__(self, environment):
        self.environment = environment
        self.policy = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2), nn.LogSoftmax(dim=-1))
        self.optimizer = torch.optim.SGD(self.policy.parameters(), lr=0.1)
        self.log_probabilities = []
        self.done = False

    def reset(self):
        self.state = self.environment.reset()
        self.done = False
        self.log_probabilities = []

    def act(self):
        self.log_probabilities.append(self.policy(self.state)[:1])
        self.next_state, self.reward, self.done = self.environment.step(0)

    def play(self, episodes):
        for _ in range(episodes):
            self.reset()
            self.run_episode()

    def run_episode(self):
        raise NotImplementedError
