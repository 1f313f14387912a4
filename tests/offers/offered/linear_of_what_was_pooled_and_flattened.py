"""Linear of what was pooled and flattened: two dimensions, whatever the pooling makes."""

import torch
from torch import nn
from torch.nn import functional as F

SHAPE = (2, 3, 5, 5)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 6)

    def forward(self, x):
        pooled = F.adaptive_avg_pool2d(x, 1).flatten(start_dim=1)
        return torch.sigmoid(self.fc(pooled))  # offer
