import torch
from torch import nn


class ODEFunc(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 8), nn.Tanh(), nn.Linear(8, dim))
        for m in self.net.modules():
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, mean=0, std=0.1)
                nn.init.constant_(m.bias, val=0)
        self.nfe = 0

    def forward(self, t, y):
        self.nfe += 1
        return self.net(y**3)


def odeint(func, y0, t, method="euler"):
    ys = torch.empty(len(t), *y0.shape)
    ys[0] = y0
    y = y0
    for i, (t0, t1) in enumerate(zip(t[:-1], t[1:])):
        dt = t1 - t0
        if method == "euler":
            y = y + dt * func(t0, y)
        else:
            k1 = func(t0, y)
            k2 = func(t0 + dt / 2, y + dt / 2 * k1)
            y = y.add_(dt * k2)  # error: IP101
        ys[i + 1] = y
    return ys


func = ODEFunc(2)
optimizer = torch.optim.RMSprop(func.parameters(), lr=1e-3)
t = torch.linspace(0, 1, 4)
true_y = torch.randn(4, 3, 2)
for itr in range(1, 3):
    optimizer.zero_grad()
    pred = odeint(func, true_y[0].clone(), t, method="midpoint")
    loss = (pred - true_y).abs().mean()
    loss.backward()
    optimizer.step()
