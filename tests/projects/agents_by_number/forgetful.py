"""Nobody resets the policies: the second time they learn from graphs that are gone."""

import torch

from policy import Members


class Forgetful(Members):
    def play(self, states, rounds):
        for _ in range(rounds):
            self.act(states)
            for i in range(self.count):
                self.optimizers[i].zero_grad()
                torch.stack(self.policies[i].log_probabilities).sum().backward()  # error: IP103
                self.optimizers[i].step()
