"""LBFGS evaluates its closure several times, but the forward is outside of it."""

import torch

x0 = torch.tensor([1.5, -0.5])
theta = x0.clone().requires_grad_(True)
opt = torch.optim.LBFGS([theta], lr=0.5, max_iter=4)


def rosen(t):
    return (1 - t[0]) ** 2 + 100 * (t[1] - t[0] ** 2) ** 2


loss = rosen(theta)


def closure():
    opt.zero_grad()
    loss.backward()  # error: IP103
    return loss


opt.step(closure)
