"""Less its mean."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        x = self.fc(x)
        x = x - x.mean(dim=1, keepdim=True)  # offer
        return self.fc(x)
