"""The setter gets a new value."""

import torch


class Particle:
    def __init__(self, state):
        self.state = state

    @property
    def position(self):
        return self.state[:2]

    @property
    def energy(self):
        return (self.state**2).sum()


p0 = torch.randn(4, requires_grad=True)
particle = Particle(p0 * 1.0)
e = particle.energy
pos = particle.position + 1.0
(e + pos.sum()).backward()
