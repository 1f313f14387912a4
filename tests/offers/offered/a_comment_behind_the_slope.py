"""A comment behind the slope, and the parenthesis on a line of its own."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.act = nn.LeakyReLU(0.2  # offer
        )
        self.out = nn.Linear(6, 6)
        self.act2 = nn.LeakyReLU(0.2,  # offer
        )

    def forward(self, x):
        return self.act2(self.out(self.act(self.fc(x))))
