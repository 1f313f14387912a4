"""x is rebound."""

import torch
from torch import nn

eps_model = nn.Sequential(nn.Linear(3, 8), nn.SiLU(), nn.Linear(8, 3))
classifier = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
for p in [*eps_model.parameters(), *classifier.parameters()]:
    p.requires_grad_(False)
betas = torch.linspace(1e-4, 0.02, 3)
x = torch.randn(2, 3)
for i in reversed(range(3)):
    x = x.detach().requires_grad_(True)
    eps = eps_model(x)
    x0 = (x - betas[i].sqrt() * eps) / (1 - betas[i]).sqrt()
    energy = classifier(x0).sum() + 0.1 * x.pow(2).sum()
    grad = torch.autograd.grad(energy, x)[0]
    with torch.no_grad():
        x.sub_(betas[i] * eps)
        x.add_(0.1 * grad)
