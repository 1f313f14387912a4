"""Inputs wait in a deque, each is scored with fresh weights, and a shallow copy of a tensor is written only when nothing needs it."""

import copy
from collections import deque

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.Linear(4, 1))
optimizer = torch.optim.Adagrad(params=net.parameters(), lr=0.1)
targets = torch.as_tensor(data=[[0.0], [1.0]])

pending = deque(iterable=(torch.randn(2, 3) for _ in range(3)), maxlen=3)
for index, batch in enumerate(iterable=pending):
    prediction = net(input=batch)
    loss = nn.functional.binary_cross_entropy_with_logits(input=prediction, target=targets)
    optimizer.zero_grad()
    torch.autograd.backward(tensors=loss)
    optimizer.step()
    copy.copy(x=batch).mul_(other=0.5)
