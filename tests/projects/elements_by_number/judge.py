import torch

from first_again import FirstAgain
from in_turn import InTurn
from stepping import Stepping

loader = [torch.randn(4, 3) for _ in range(3)]


def runs_in_turn():
    InTurn(3).update(loader)


def raises_after_a_step():
    Stepping(3).update(loader)


def raises_at_the_first():
    FirstAgain(3).update(loader)
