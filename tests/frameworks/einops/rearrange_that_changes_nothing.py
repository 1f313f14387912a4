"""A rearrange whose two sides are alike returns the very tensor it was given, so the residual sum writes what
the gate keeps."""

import torch
from einops import rearrange
from torch import nn


class GatedBlock(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.value = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim)

    def forward(self, x, layout="b n d -> b n d"):
        gate = torch.sigmoid(self.gate(x))
        mixed = rearrange(gate, layout)
        mixed += self.value(x)  # error: IP101
        return mixed


torch.manual_seed(0)
block = GatedBlock()
optimizer = torch.optim.RMSprop(block.parameters())
sequence = torch.randn(2, 4, 6)
loss = (block(sequence) - sequence).abs().mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
