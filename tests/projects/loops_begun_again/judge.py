import torch
from torch import nn

import started_first as started
from over_episodes import KeepsAllLosses, KeepsLossesOfOneEpisode


class Environment:
    def reset(self):
        self.left, self.over = 2, False
        return torch.randn(3)

    def step(self, action):
        self.left -= 1
        self.over = self.left == 0
        return torch.randn(3)


class Machine:
    runs = False

    def start(self):
        self.left, self.runs = 2, True

    def step(self):
        self.left -= 1
        self.runs = self.left > 0


net, state = nn.Linear(3, 3), torch.randn(3)


def raises_over_episodes():
    KeepsAllLosses(Environment()).play(2)


def runs_over_episodes():
    KeepsLossesOfOneEpisode(Environment()).play(2)


def raises_while_it_runs():
    started.write_while_it_runs(Machine(), net, state)


def raises_after_an_assert():
    started.write_after_an_assert(Machine(), net, state)


def raises_behind_a_return():
    started.write_behind_a_return({"goes on": False}, net, state)


def raises_when_walked_again():
    started.walk_again_while_it_runs(Machine(), net, state)


def runs_while_it_computes():
    started.compute_while_it_runs(Machine(), net, state)


def runs_after_the_last_step():
    started.walk_after_the_last_step(Machine(), net, state)
