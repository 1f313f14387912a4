import torch
from torch import nn

torch.manual_seed(0)
from torch.nn import functional as F

down, up = nn.Linear(4, 3), nn.Linear(3, 4)


def gate(x):
    s = torch.tanh(down(x))
    g = torch.sigmoid(
        up(F.relu(s, inplace=True))  # squeezed
    )
    return x * g


gate(torch.randn(2, 4)).sum().backward()
