"""What a class calls and, later, asks for its parameters is a network from the first call on."""

import torch
import torch.nn.functional as F
from torch import nn

make = eval("lambda: nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4))")


class Contrast:
    def __init__(self, query, key):
        self.query = query
        self.key = key
        self.optimizer = torch.optim.SGD(self.query.parameters(), lr=0.1)

    def update(self, x):
        loss = -(self.query(x) * self.key(x)).mean()
        self.follow()
        self.optimizer.zero_grad()
        try:
            loss.backward()
        except RuntimeError as error:
            print(error)

    def update_in_order(self, x):
        with torch.no_grad():
            key = self.key(x)
        loss = -(self.query(x) * key).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.follow()

    def follow(self):
        with torch.no_grad():
            for a, b in zip(self.query.parameters(), self.key.parameters()):
                b.mul_(0.9).add_(a, alpha=0.1)  # error: IP101


Contrast(make(), make()).update_in_order(torch.rand(4, 3))
Contrast(make(), make()).update(torch.rand(4, 3))
