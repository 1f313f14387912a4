"""A compiled module is trained through the parameters of the module it wraps, in the usual order."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
model = torch.compile(model=net, backend="eager")
optimizer = torch.optim.Adam(params=net.parameters(), lr=1e-2)

for _ in range(2):
    output = model(torch.randn(3, 4))
    output -= output.mean(dim=0)
    loss = output.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
