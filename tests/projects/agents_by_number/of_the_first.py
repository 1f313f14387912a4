"""Each policy is compared with the first one: in every pass a backward goes through what that one did."""

import torch

from policy import Members


class OfTheFirst(Members):
    def play(self, states):
        for i in range(self.count):
            self.policies[i].reset()
        self.act(states)
        for i in range(self.count):
            own = torch.stack(self.policies[i].log_probabilities)
            first = torch.stack(self.policies[0].log_probabilities)
            (own - first).square().sum().backward()  # error: IP103
