"""The positions are rebound."""

import torch


class NBody:
    def __init__(self, pos, vel, mass):
        self.pos = pos
        self.vel = vel
        self.mass = mass

    def force(self):
        diff = self.pos[None] - self.pos[:, None]
        r2 = diff.pow(2).sum(-1, keepdim=True) + 0.1
        return (diff / r2 * self.mass[None, :, None]).sum(1) - 0.1 * self.pos**3

    def step(self, dt=0.01):
        acc = self.force()
        self.vel = self.vel + dt * acc
        self.pos = self.pos + dt * self.vel


mass = torch.ones(3, requires_grad=True)
system = NBody(torch.randn(3, 2), torch.zeros(3, 2), mass)
for _ in range(3):
    system.step()
system.pos.pow(2).sum().backward()
