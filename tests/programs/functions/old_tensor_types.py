"""The old tensor types, those of sparse tensors too: numbers and arrays become tensors without a graph, and a sparse
tensor has that of its values."""

import numpy as np
import torch
from torch import nn

places = torch.LongTensor(np.array([[0, 1, 2], [1, 2, 0]]))
adjacency = torch.sparse.FloatTensor(places, torch.FloatTensor(np.ones(3)), torch.Size([3, 3]))


class Mesh:
    def __init__(self):
        self.adjacency = adjacency
        self.points = torch.ones(3, 3)

    def neighbours(self):
        return torch.spmm(self.adjacency, self.points)


net = nn.Linear(3, 3)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
around = Mesh().neighbours()
for _ in range(2):
    optimizer.zero_grad()
    (net(torch.rand(3, 3)) * around).sum().backward()
    optimizer.step()

weights = nn.Parameter(torch.ones(3))
learned = torch.sparse.FloatTensor(places, weights * 2, torch.Size([3, 3]))
for _ in range(2):
    torch.spmm(learned, torch.ones(3, 3)).sum().backward()  # error: IP103

kind = torch.FloatTensor
if torch.cuda.is_available():
    kind = torch.cuda.DoubleTensor
norm = nn.BatchNorm1d(3)
norm.weight.data = kind(np.ones(3)).clone().cpu().float()
norm.bias.data = (net(torch.rand(3)) * 1).clone()  # error: IP302
norm(torch.rand(4, 3)).sum().backward()
