"""The closure computes the loss anew."""

import torch

x0 = torch.tensor([1.5, -0.5])
theta = x0.clone().requires_grad_(True)
opt = torch.optim.LBFGS([theta], lr=0.5, max_iter=4)


def rosen(t):
    return (1 - t[0]) ** 2 + 100 * (t[1] - t[0] ** 2) ** 2


def closure():
    opt.zero_grad()
    loss = rosen(theta)
    loss.backward()
    return loss


opt.step(closure)
