"""A Runge-Kutta step with rebinding; the trajectory is stored in a preallocated tensor that nobody reads."""

import torch
import torch.nn as nn


class ODEFunc(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
        for m in self.net.modules():
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, mean=0, std=0.1)
                nn.init.constant_(m.bias, val=0)

    def forward(self, t, y):
        return self.net(y**3)


def rk4_step(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


func = ODEFunc()
ts = torch.linspace(0, 1, 5)
y = torch.tensor([[2.0, 0.0]])
path = torch.empty(5, 1, 2)
path[0] = y
for i in range(4):
    y = rk4_step(func, ts[i], y, ts[i + 1] - ts[i])
    path[i + 1] = y
(path - 1).abs().mean().backward()
