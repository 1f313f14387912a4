import torch
from torch import nn


class Grid:
    def __init__(self, n):
        self.cells = torch.zeros(n, 3)

    def __getitem__(self, i):
        return self.cells[i]

    def __setitem__(self, i, value):
        self.cells[i] = value  # error: IP101


lin = nn.Linear(3, 3)
grid = Grid(4)
for i in range(1, 4):
    grid[i] = torch.tanh(lin(grid[i - 1]))
grid.cells.sum().backward()
