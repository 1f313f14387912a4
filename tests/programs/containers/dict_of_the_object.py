"""Objects whose attributes are the entries of a dict: shared by all (the Borg), given, or of another object."""

import torch


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


class Borg:
    _state = {}

    def __init__(self):
        self.__dict__ = self._state


class Settings:
    def __init__(self, entries):
        self.__dict__ = entries


class Copied:
    def __init__(self, entries):
        self.__dict__ = dict(entries)
        self.scale = torch.ones(3)


w = torch.rand(3, requires_grad=True)

Borg().shift = torch.ones(3)
y = w * Borg().shift
Borg().shift.add_(1)  # error: IP101
walk(y)

entries = {"shift": torch.ones(3), "scale": torch.ones(3)}
settings = Settings(entries)
y = w * settings.shift
settings.scale.add_(1)
walk(y)
y = w * settings.shift
entries["shift"].add_(1)  # error: IP101
walk(y)

copied = Copied(entries)
y = w * entries["scale"]
copied.scale.add_(1)
walk(y)
y = w * copied.shift
settings.shift.add_(1)  # error: IP101
walk(y)

other = Settings({})
other.__dict__ = vars(settings)
settings.scale = torch.ones(3)
y = w * settings.scale
other.scale.add_(1)  # error: IP101
walk(y)
