import torch

from inner_steps import Follower, Learner
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


def runs_without_learning_the_rule():
    learner = Learner(3)
    learner.learn(torch.randn(3))
    assert learner.rule.weight.grad is None
    learner.learn_asked(torch.randn(3))
    assert learner.rule.weight.grad is None


def runs_by_the_rule():
    follower = Follower(3)
    follower.follow([torch.randn(3) for _ in range(3)])
    follower.follow_by_hand([torch.randn(3) for _ in range(3)])
