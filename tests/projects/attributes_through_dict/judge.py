import torch

from gated import Added, Gated
from scored import Scored
from taught import train_both, train_student


def raises_behind_the_gate():
    Gated(3)(torch.randn(2, 3)).sum().backward()


def runs_before_the_gate():
    Added(3)(torch.randn(2, 3)).sum().backward()


def raises_behind_the_score():
    Scored(3)(torch.randn(2, 3)).sum().backward()


def runs_beside_the_teacher():
    train_student(torch.randn(2, 3))


def raises_with_the_teacher():
    train_both(torch.randn(2, 3))
