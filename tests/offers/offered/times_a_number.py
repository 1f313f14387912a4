"""Times a number."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        x = self.fc(x)
        x = x * 0.5  # offer
        return self.fc(x)
