"""The interpolation is finished before the critic sees it."""

import torch
from torch import autograd, nn

netD = nn.Sequential(nn.Linear(3, 8), nn.Softplus(), nn.Linear(8, 1))


def calc_gradient_penalty(netD, real_data, fake_data, lam=10.0):
    alpha = torch.rand(real_data.size(0), 1).expand(real_data.size())
    interpolates = alpha * real_data + ((1 - alpha) * fake_data)
    interpolates.requires_grad_(True)
    with torch.no_grad():
        interpolates.clamp_(-1, 1)
    disc_interpolates = netD(interpolates)
    gradients = autograd.grad(
        outputs=disc_interpolates,
        inputs=interpolates,
        grad_outputs=torch.ones(disc_interpolates.size()),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean() * lam


real, fake = torch.randn(4, 3), torch.randn(4, 3)
penalty = calc_gradient_penalty(netD, real, fake)
loss = netD(fake).mean() - netD(real).mean() + penalty
loss.backward()
