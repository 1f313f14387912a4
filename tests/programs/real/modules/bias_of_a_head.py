"""A view of a layer's bias is written to start with, and read under no other name."""

import torch
from torch import nn


def start(head):
    bias_ = head.bias
    bias = bias_[:12].view(2, -1)
    bias[:, 4] += 3  # error: IP202
    head.bias = nn.Parameter(bias_, requires_grad=bias_.requires_grad)


head = nn.Linear(3, 12)
start(head)
head(torch.rand(3)).sum().backward()
