"""The ODE function damps the result of a tanh in place, and the tanh has kept that result for the backward pass."""

import torch
from torch import nn
from torchdiffeq import odeint


class Dynamics(nn.Module):
    def __init__(self, dim=2):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 8), nn.ReLU(inplace=True), nn.Linear(8, dim), nn.Tanh())

    def forward(self, t, y):
        dy = self.net(y)
        dy *= torch.exp(-t)  # error: IP101
        return dy


torch.manual_seed(0)
func = Dynamics()
optimizer = torch.optim.RMSprop(func.parameters(), lr=1e-3)
times = torch.linspace(0.0, 1.0, 3)
truth = torch.randn(3, 4, 2)
loss = (odeint(func, truth[0], times, method="euler") - truth).abs().mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
