import torch

from mixed import Mixed
from particles import Particles


def runs_pushed_apart():
    particles = Particles(3)
    for _ in range(2):
        particles.update(torch.randn(5, 3))


def runs_but_learns_nothing():
    mixed = Mixed(3)
    mixed.update(torch.randn(5, 3))
    assert mixed.share.grad is None
