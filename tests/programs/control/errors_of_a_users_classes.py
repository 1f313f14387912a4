"""Errors of the user's own classes: who catches them, and what they carry."""

import torch

w = torch.randn(3, requires_grad=True)


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


class Stopped(Exception):
    pass


class Found(Stopped):
    def __init__(self, hidden):
        super().__init__("found")
        self.hidden = hidden


class Refused(ValueError):
    pass


def look(t, fails):
    h = t.exp()
    if fails:
        raise Refused
    raise Found(h)


y = w.exp()
try:
    raise Stopped("early")
except Found:
    y.zero_()
except Stopped:
    pass
walk(y)

y = w.exp()
try:
    look(w, fails=True)
except (Stopped, KeyError):
    y.zero_()
except ValueError:
    y.add_(1)  # error: IP101
walk(y)

try:
    look(w, fails=False)
except Refused:
    raise
except Exception as error:
    y = error.hidden
    y.mul_(2)  # error: IP101
    walk(y)

y = w.exp()
try:
    w.add_(1)  # error: IP201
except Stopped:
    y.zero_()
except RuntimeError:
    y.neg_()  # error: IP101
walk(y)
