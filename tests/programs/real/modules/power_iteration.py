import torch
import torch.nn as nn
import torch.nn.functional as F


def l2norm(v, eps=1e-12):
    return v / (v.norm() + eps)


class SNLinear(nn.Linear):
    def __init__(self, i, o):
        super().__init__(i, o)
        self.register_buffer("u", l2norm(torch.randn(o)))
        self.register_buffer("v", l2norm(torch.randn(i)))

    def forward(self, x):
        with torch.no_grad():
            self.v.copy_(l2norm(self.weight.t() @ self.u))  # error: IP101
            self.u.copy_(l2norm(self.weight @ self.v))  # error: IP101
        sigma = torch.dot(self.u, self.weight @ self.v)
        return F.linear(x, self.weight / sigma, self.bias)


disc = nn.Sequential(SNLinear(4, 6), nn.LeakyReLU(0.1), SNLinear(6, 1))
opt = torch.optim.Adam(disc.parameters(), lr=2e-4, betas=(0.0, 0.9))
for _ in range(2):
    real, fake = torch.randn(5, 4), torch.randn(5, 4)
    loss = F.relu(1 - disc(real)).mean() + F.relu(1 + disc(fake)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
