"""The adjoint solver runs the ODE function again inside backward, where the write to the tanh's result is found
out."""

import torch
from torch import nn
from torchdiffeq import odeint_adjoint as odeint


class Dynamics(nn.Module):
    def __init__(self, dim=2):
        super().__init__()
        self.layer = nn.Linear(dim, dim)

    def forward(self, t, y):
        dy = torch.tanh(self.layer(y))
        dy.mul_(0.5)  # error: IP101
        return dy


torch.manual_seed(0)
func = Dynamics()
optimizer = torch.optim.Adam(func.parameters(), lr=1e-2)
times = torch.linspace(0.0, 1.0, 3)
start, goal = torch.randn(4, 2), torch.randn(4, 2)
path = odeint(func, start, times, method="euler")
loss = (path[-1] - goal).square().mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
