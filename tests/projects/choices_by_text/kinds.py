"""What an option's text stands for. Each function raises where nothing fits."""

from enum import Enum

from torch import nn


class Cell(Enum):
    RNN = 0
    GRU = 1

    @staticmethod
    def from_text(name):
        if name == "rnn":
            return Cell.RNN
        if name == "gru":
            return Cell.GRU
        raise ValueError(f"{name} is no cell")


def make_cell(name, width):
    kind = Cell.from_text(name)
    if kind == Cell.GRU:
        return nn.GRU(width, width)
    return nn.RNN(width, width)


def find_rate(schedule):
    if schedule == "slow":
        return 0.001
    if schedule == "fast":
        return 0.1
    raise KeyError(schedule)


def find_reduction(name):
    if name in ("mean", "average"):
        return "mean"
    if name == "sum":
        return "sum"
    raise NotImplementedError
