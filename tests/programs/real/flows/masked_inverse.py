import torch
import torch.nn.functional as F
from torch import nn


class MaskedLinear(nn.Linear):
    def __init__(self, n_in, n_out, mask):
        super().__init__(n_in, n_out)
        self.register_buffer("mask", mask)

    def forward(self, x):
        return F.linear(x, self.mask * self.weight, self.bias)


class MADE(nn.Module):
    def __init__(self, dim, hidden=8):
        super().__init__()
        deg_in, deg_h = torch.arange(dim), torch.arange(hidden) % (dim - 1)
        self.net = nn.Sequential(
            MaskedLinear(dim, hidden, (deg_h[:, None] >= deg_in[None]).float()),
            nn.ReLU(),
            MaskedLinear(hidden, 2 * dim, (deg_in.repeat(2)[:, None] > deg_h[None]).float()),
        )
        self.dim = dim

    def forward(self, x):
        mu, log_s = self.net(x).chunk(2, -1)
        return (x - mu) * torch.exp(-log_s), -log_s.sum(-1)

    def inverse(self, z):
        x = torch.zeros_like(z)
        for i in range(self.dim):
            mu, log_s = self.net(x).chunk(2, -1)
            x[:, i] = z[:, i] * torch.exp(log_s[:, i]) + mu[:, i]  # error: IP101
        return x


flow = MADE(3)
opt = torch.optim.Adam(flow.parameters())
for _ in range(2):
    samples = flow.inverse(torch.randn(4, 3))
    loss = samples.pow(2).sum(-1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
