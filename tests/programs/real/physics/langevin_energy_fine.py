import torch
from torch import nn

E = nn.Sequential(nn.Linear(2, 8), nn.SiLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(E.parameters())
buffer = torch.randn(8, 2)


def langevin(x, steps=3):
    x = x.clone().detach().requires_grad_(True)
    for p in E.parameters():
        p.requires_grad_(False)
    for _ in range(steps):
        (g,) = torch.autograd.grad(E(x).sum(), x)
        x.data.add_(g, alpha=-0.1)
        x.data += 0.01 * torch.randn_like(x)
    for p in E.parameters():
        p.requires_grad_(True)
    return x.detach()


for _ in range(3):
    idx = torch.randperm(8)[:4]
    neg = langevin(buffer[idx])
    buffer[idx] = neg
    loss = E(torch.randn(4, 2)).mean() - E(neg).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
