"""Keeps what was observed, and what the policy said to it."""

import torch


class Storage:
    def __init__(self, steps, width):
        self.observed = torch.zeros(steps + 1, 2, width)
        self.values = torch.zeros(steps, 2, 1)
        self.at = 0

    def insert(self, observed, value):
        self.observed[self.at + 1].copy_(observed)
        self.values[self.at].copy_(value)
        self.at = (self.at + 1) % len(self.values)

    def begin_again(self):
        self.observed[0].copy_(self.observed[-1])
