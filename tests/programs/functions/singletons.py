"""Classes whose calls return one object for all, and look-alikes that make a new one each time."""

import torch


class ByNew:
    _made = None

    def __new__(cls):
        if cls._made is None:
            cls._made = super().__new__(cls)
            cls._made.shift = torch.ones(3)
        return cls._made


class ByAttribute:
    def __new__(cls, *args):
        if not hasattr(cls, "made"):
            cls.made = object.__new__(cls)
            cls.made.shift = torch.ones(3)
        return cls.made

    def __init__(self, name):
        self.name = name


class ByName:
    _made = {}

    def __new__(cls, name):
        if name not in cls._made:
            cls._made[name] = super().__new__(cls)
            cls._made[name].shift = torch.ones(3)
        return cls._made[name]


class Single(type):
    _made = {}

    def __call__(cls, *args, **kwargs):
        if cls not in cls._made:
            cls._made[cls] = super().__call__(*args, **kwargs)
        return cls._made[cls]


class ByMetaclass(metaclass=Single):
    def __init__(self, size):
        self.shift = torch.ones(size)


class Counted(type):
    def __call__(cls, *args):
        return type.__call__(cls, *args)


class Fresh(metaclass=Counted):
    def __new__(cls, size):
        return super().__new__(cls)

    def __init__(self, size):
        self.shift = torch.ones(size)


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


w = torch.rand(3, requires_grad=True)

y = w * ByNew().shift
ByNew().shift.add_(1)  # error: IP101
walk(y)

y = w * ByAttribute("a").shift
ByAttribute("b").shift.add_(1)  # error: IP101
walk(y)

y = w * ByName("a").shift
ByName("b").shift.add_(1)
walk(y)

y = w * ByName("a").shift
ByName("a").shift.add_(1)  # error: IP101
walk(y)

y = w * ByMetaclass(3).shift
ByMetaclass(3).shift.add_(1)  # error: IP101
walk(y)

y = w * Fresh(3).shift
Fresh(3).shift.add_(1)
walk(y)
