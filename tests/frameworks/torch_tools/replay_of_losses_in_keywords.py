"""Losses wait in a deque, and each later backward meets weights that the step after the first one has changed."""

from collections import deque

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.Linear(4, 1))
optimizer = torch.optim.Adagrad(params=net.parameters(), lr=0.1)
targets = torch.as_tensor(data=[[0.0], [1.0]])

pending = deque(iterable=(net(input=torch.randn(2, 3)) for _ in range(3)), maxlen=3)
for index, prediction in enumerate(iterable=pending):
    loss = nn.functional.binary_cross_entropy_with_logits(input=prediction, target=targets)
    optimizer.zero_grad()
    torch.autograd.backward(tensors=loss)
    optimizer.step()  # error: IP102
