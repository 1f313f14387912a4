import torch

from at_the_end import AsksWhetherToLearn, LearnsAtTheEnd
from in_a_function import play_one, play_several
from in_every_pass import LearnsInEveryPass


class Environment:
    def reset(self):
        self.left = 3
        return torch.randn(3)

    def step(self, action):
        self.left -= 1
        return torch.randn(3), 1.0, self.left == 0


def runs_at_the_end():
    LearnsAtTheEnd(Environment()).play(2)


def runs_when_asked():
    AsksWhetherToLearn(Environment()).play(2)


def runs_in_a_function():
    play_one(Environment())


def raises_over_episodes():
    play_several(Environment(), 2)


def raises_in_every_pass():
    LearnsInEveryPass(Environment()).play(1)
