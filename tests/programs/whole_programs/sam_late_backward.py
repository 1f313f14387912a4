"""SAM wrongly: the loss of the clean weights is walked only after first_step."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
x, y = torch.randn(6, 3), torch.randn(6, 1)


def perturb(params, grads, rho):
    norm = torch.stack([g.norm() for g in grads]).norm() + 1e-12
    with torch.no_grad():
        for p, g in zip(params, grads):
            p.add_(g, alpha=(rho / norm).item())  # error: IP101


params = list(net.parameters())
loss = nn.functional.mse_loss(net(x), y)
perturb(params, torch.autograd.grad(loss, params, retain_graph=True), rho=0.05)
(loss + nn.functional.mse_loss(net(x), y)).backward()
