"""The adjoint solver keeps the parameters themselves, and the optimizer steps before the second trajectory is
walked backward."""

import torch
from torch import nn
from torchdiffeq import odeint_adjoint


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.rates = nn.Parameter(torch.tensor([[-0.1, 2.0], [-2.0, -0.1]]))

    def forward(self, t, y):
        return y**3 @ self.rates


torch.manual_seed(0)
field = Field()
optimizer = torch.optim.SGD(field.parameters(), lr=1e-2)
start = torch.tensor([[0.5, 0.0]])
near = odeint_adjoint(field, start, torch.linspace(0.0, 0.1, 3), method="euler")
far = odeint_adjoint(field, start, torch.linspace(0.0, 0.2, 3), method="euler")

optimizer.zero_grad()
near[-1].square().sum().backward()
optimizer.step()  # error: IP102
optimizer.zero_grad()
far[-1].square().sum().backward()
optimizer.step()
