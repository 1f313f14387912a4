import torch
from torch import nn


class ODEFunc(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 8), nn.Tanh(), nn.Linear(8, d))

    def forward(self, t, y):
        return self.net(y**3)


def euler(func, y0, ts):
    y, ys = y0.clone(), [y0]
    for t0, t1 in zip(ts[:-1], ts[1:]):
        y = y + (t1 - t0) * func(t0, y)
        ys.append(y)
    return torch.stack(ys)


func = ODEFunc(2)
opt = torch.optim.RMSprop(func.parameters(), lr=1e-3)
y0, ts = torch.tensor([[2.0, 0.0]]), torch.linspace(0, 1, 5)
truth = torch.randn(5, 1, 2)
for _ in range(2):
    opt.zero_grad()
    loss = (euler(func, y0, ts) - truth).abs().mean()
    loss.backward()
    opt.step()
