"""An op in an f-string: before Python 3.12 its place is not known."""

import torch
from torch import nn

SHOWN = False


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        self.note = f"{torch.relu(self.fc(x)).sum()}"  # not: self.note = f"{torch.relu_(self.fc(x)).sum()}"
        return self.fc(x)
