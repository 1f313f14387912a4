"""The plain solver copies its states into the trajectory and keeps only its own steps, so the trajectory may be
written."""

import torch
from torch import nn
from torchdiffeq import odeint


class Dynamics(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, 8), nn.Softplus(), nn.Linear(8, dim))

    def forward(self, t, y):
        return self.net(torch.cat((y, t.expand(len(y), 1)), dim=-1))


torch.manual_seed(0)
func = Dynamics()
encoder = nn.Linear(5, 3)
optimizer = torch.optim.AdamW([*func.parameters(), *encoder.parameters()], lr=1e-3)
times, scale = torch.linspace(0.0, 1.0, 4), torch.tensor([10.0, 1.0, 0.1])
for _ in range(2):
    x, target = torch.randn(2, 5), torch.randn(4, 2, 3)
    trajectory = odeint(func, encoder(x), times, method="rk4")
    trajectory *= scale
    loss = nn.functional.smooth_l1_loss(trajectory, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
