"""The broadcast waits."""

import copy

import torch
from torch import nn

main = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
worker = copy.deepcopy(main)


def sync(src, dst):
    dst.load_state_dict(src.state_dict())


for step in range(2):
    loss = worker(torch.randn(2, 3)).mean()
    loss.backward()
    sync(main, worker)
