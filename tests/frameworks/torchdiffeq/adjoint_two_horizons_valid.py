"""Each trajectory of the adjoint solver is walked backward before the next step of the optimizer."""

import torch
from torch import nn
from torchdiffeq import odeint_adjoint


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.rates = nn.Parameter(torch.tensor([[-0.1, 2.0], [-2.0, -0.1]]))

    def forward(self, t, y):
        dy = y**3 @ self.rates
        dy += 0.01
        return dy


torch.manual_seed(0)
field = Field()
optimizer = torch.optim.SGD(field.parameters(), lr=1e-2)
start = torch.tensor([[0.5, 0.0]])
for horizon in (0.1, 0.2):
    path = odeint_adjoint(field, start, torch.linspace(0.0, horizon, 3), method="euler")
    final = path[-1]
    loss = final.square().sum()
    optimizer.zero_grad()
    loss.backward()
    final.detach().zero_()
    optimizer.step()
