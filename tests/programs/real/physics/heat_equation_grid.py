"""A differentiable solver writes the interior of its grid from neighbours of the same grid."""

import torch


def laplacian(u):
    return u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]


def solve(u0, kappa, steps=3):
    u = u0.clone()
    for _ in range(steps):
        u[1:-1, 1:-1] += kappa * laplacian(u) * u[1:-1, 1:-1]  # error: IP101
    return u


kappa = torch.tensor(0.1, requires_grad=True)
solve(torch.rand(6, 6), kappa).sum().backward()
