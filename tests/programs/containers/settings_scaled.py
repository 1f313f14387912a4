"""Numbers in a dict of settings are no tensors, whatever multiplies them in place; a weight in a dict is one."""

import json

import torch
from torch import nn

net = nn.Linear(3, 3)
settings = json.loads('{"rate": 0.1, "gain": 0.5}').copy()
settings["gain"] *= 3 / 80.0
optimizer = torch.optim.SGD(net.parameters(), lr=settings["rate"])
for _ in range(3):
    loss = (net(torch.rand(2, 3)) ** 2).mean() * settings["gain"]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

learned = {"gain": torch.ones(3, requires_grad=True)}
learned["gain"] *= 0.5  # error: IP201
