"""The ODE function damps the tanh out of place; its in-place ReLU writes only what a linear layer returned."""

import torch
from torch import nn
from torchdiffeq import odeint


class Dynamics(nn.Module):
    def __init__(self, dim=2):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 8), nn.ReLU(inplace=True), nn.Linear(8, dim), nn.Tanh())
        self.nfe = 0

    def forward(self, t, y):
        self.nfe += 1
        return self.net(y) * torch.exp(-t)


torch.manual_seed(0)
func = Dynamics()
optimizer = torch.optim.RMSprop(func.parameters(), lr=1e-3)
times = torch.linspace(0.0, 1.0, 3)
truth = torch.randn(3, 4, 2)
for _ in range(2):
    loss = (odeint(func, truth[0], times, method="rk4") - truth).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
