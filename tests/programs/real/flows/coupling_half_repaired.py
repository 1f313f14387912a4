import torch
import torch.nn as nn


class Coupling(nn.Module):
    def __init__(self, dim, hidden=8):
        super().__init__()
        self.half = dim // 2
        self.net = nn.Sequential(nn.Linear(self.half, hidden), nn.Tanh(), nn.Linear(hidden, 2 * (dim - self.half)))

    def forward(self, x):
        a, b = x[:, : self.half], x[:, self.half :]
        s, t = self.net(a).chunk(2, 1)
        s = torch.tanh(s)
        x = torch.cat([a, b * s.exp() + t], 1)
        return x, s.sum(1)


class Flow(nn.Module):
    def __init__(self, dim=4, layers=3):
        super().__init__()
        self.layers = nn.ModuleList([Coupling(dim) for _ in range(layers)])

    def forward(self, x):
        logdet = 0
        for layer in self.layers:
            x, ld = layer(x)
            x = x.flip(1)
            logdet = logdet + ld
        return x, logdet


flow = Flow()
prior = torch.distributions.Normal(0.0, 1.0)
opt = torch.optim.Adam(flow.parameters(), 1e-3)
for _ in range(2):
    z, logdet = flow(torch.randn(8, 4))
    loss = -(prior.log_prob(z).sum(1) + logdet).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
