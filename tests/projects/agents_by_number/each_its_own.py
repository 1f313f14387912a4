"""Each policy learns from what it did itself, since it was reset."""

import torch

from policy import Members


class Team(Members):
    def play(self, states):
        for i in range(self.count):
            self.policies[i].reset()
        self.act(states)
        self.learn()

    def learn(self):
        for i in range(self.count):
            self.optimizers[i].zero_grad()
            torch.stack(self.policies[i].log_probabilities).sum().backward()
            self.optimizers[i].step()


class TeamOfValues(Members):
    def play(self, states):
        for i in range(self.count):
            self.policies[i].reset()
        self.act(states)
        for i in range(self.count):
            policy, optimizer = self.policies[i], self.optimizers[i]
            loss = policy.value.square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
