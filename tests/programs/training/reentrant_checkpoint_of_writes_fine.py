"""What is written behind a reentrant checkpoint is computed anew before anybody needs it."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        h = self.layer(x)
        h.add_(x)
        return torch.tanh(h)


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width) for _ in range(2))

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=True)
            x = x.mul(2)
        y = checkpoint(self.blocks[0], x, use_reentrant=True)
        y.mul_(2)
        return y


Net(4)(torch.rand(2, 4, requires_grad=True)).sum().backward()
