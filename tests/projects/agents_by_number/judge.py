import torch

from each_its_own import Team, TeamOfValues
from forgetful import Forgetful
from of_the_first import OfTheFirst

states = [torch.randn(3) for _ in range(4)]


def runs_for_itself():
    team = Team(3)
    for _ in range(2):
        team.play(states)


def runs_for_values():
    team = TeamOfValues(3)
    for _ in range(2):
        team.play(states)


def raises_without_reset():
    Forgetful(3).play(states, 2)


def raises_for_the_first():
    OfTheFirst(3).play(states)
