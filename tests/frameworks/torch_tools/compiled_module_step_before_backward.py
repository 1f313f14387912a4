"""The compiled module shares its parameters with the module it wraps, so stepping them between the two backwards is too early."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
model = torch.compile(model=net, backend="eager")
optimizer = torch.optim.Adam(params=model.parameters(), lr=1e-2)

x = torch.randn(3, 4)
output = model(x)
first, second = output[:, 0].square().mean(), output[:, 1].square().mean()

first.backward(retain_graph=True)
optimizer.step()  # error: IP102
optimizer.zero_grad()
second.backward()
