"""A layer reached by its name."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.act = nn.ReLU()  # not: self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        h = self.fc(x)
        return getattr(self, "a" + "ct")(h) + h + self.act(self.fc(x))
