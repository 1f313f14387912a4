"""A full hook makes it a view."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.fc.register_full_backward_hook(lambda module, given, result: None)

    def forward(self, x):
        return F.relu(self.fc(x))  # not: return F.relu_(self.fc(x))
