"""create_graph=True."""

import torch
from torch import nn

u_net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
x = torch.linspace(0, 1, 6).unsqueeze(1).requires_grad_(True)
u = u_net(x)
u_x = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), create_graph=True)[0]
residual = (u_xx + u).pow(2).mean()
boundary = (u[0] ** 2).sum()
(boundary + residual).backward()
