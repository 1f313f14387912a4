"""A layer called twice."""

import torch
import torch.nn.functional as F
from torch import nn

EXACT = False


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.act = nn.LeakyReLU(0.1)  # offer

    def forward(self, x):
        x = self.act(self.fc(x))
        x = self.fc(x)
        x = self.act(x)
        return self.fc(x)
