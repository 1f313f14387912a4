"""A property returns a view of the state; an in-place operator on it writes the state a product kept."""

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
pos = particle.position
pos += 1.0  # error: IP101
(e + pos.sum()).backward()
