"""A step comes between two losses of one forward pass; what its rate is called, a setting says."""

import os

import torch
from torch import nn

from kinds import find_rate


def main():
    model = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=find_rate(os.environ.get("SCHEDULE", "fast")))
    out = model(torch.ones(2, 3))
    out.sum().backward(retain_graph=True)
    optimizer.step()  # error: IP102
    (out**2).sum().backward()


main()
