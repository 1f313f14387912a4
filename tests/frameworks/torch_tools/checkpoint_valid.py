"""Both kinds of checkpoint get a hidden state that is rectified before they keep it, and their results are written before anyone keeps them."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

stem = nn.Linear(4, 8)
block = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8))
stack = nn.Sequential(*[nn.Linear(8, 8) for _ in range(4)])
head = nn.Linear(8, 1)
modules = nn.ModuleList([stem, block, stack, head])
optimizer = torch.optim.SGD(params=modules.parameters(), lr=0.1)

for _ in range(2):
    hidden = stem(torch.randn(3, 4)).relu_()
    output = checkpoint(block, hidden, use_reentrant=True)
    output += hidden
    output = checkpoint_sequential(functions=stack, segments=2, input=output, use_reentrant=False)
    output *= 0.5
    optimizer.zero_grad()
    head(output).mean().backward()
    optimizer.step()
