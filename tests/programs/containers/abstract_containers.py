"""Heirs of the abstract containers: what they inherit works by their own methods for one element."""

from collections import UserDict
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence

import torch

w = torch.randn(3, requires_grad=True)


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


class Batch(Mapping):
    def __init__(self, **parts):
        self._parts = parts

    def __getitem__(self, name):
        return self._parts[name]

    def __iter__(self):
        return iter(self._parts)

    def __len__(self):
        return len(self._parts)


def halve_(x=None, y=None):
    y.mul_(0.5)  # error: IP101


y = w.exp()
batch = Batch(x=w * 2, y=y)
batch["x"].zero_()
batch.get("y").zero_()  # error: IP101
walk(y)
y = w.exp()
for name, part in Batch(x=w * 2, y=y).items():
    if name == "y":
        part.zero_()  # error: IP101
walk(y)
y = w.exp()
for part in Batch(y=y).values():
    part.zero_()  # error: IP101
walk(y)
y = w.exp()
dict(Batch(y=y))["y"].zero_()  # error: IP101
walk(y)
y = w.exp()
joined = {**Batch(y=y), "x": w * 2}
joined["x"].zero_()
joined["y"].zero_()  # error: IP101
walk(y)
y = w.exp()
halve_(**Batch(x=w, y=y))
walk(y)
y = w.exp()
halve_(**UserDict(x=w, y=w * 2))
walk(y)


class Store(MutableMapping):
    def __init__(self):
        self._parts = {}

    def __getitem__(self, name):
        return self._parts[name]

    def __setitem__(self, name, part):
        self._parts[name] = part

    def __delitem__(self, name):
        del self._parts[name]

    def __iter__(self):
        return iter(self._parts)

    def __len__(self):
        return len(self._parts)


y = w.exp()
store = Store()
store.update(y=y, x=w * 2)
store.pop("x").zero_()
store["y"].zero_()  # error: IP101
walk(y)
y = w.exp()
store = Store()
store.setdefault("y", y)
store.setdefault("y", w * 2).zero_()  # error: IP101
walk(y)


class Rows(Sequence):
    def __init__(self, *rows):
        self.rows = rows

    def __getitem__(self, at):
        return self.rows[at]

    def __len__(self):
        return len(self.rows)


y = w.exp()
first, second = Rows(w * 2, y)
first.zero_()
second.zero_()  # error: IP101
walk(y)


class Grown(MutableSequence):
    def __init__(self):
        self.rows = []

    def __getitem__(self, at):
        return self.rows[at]

    def __setitem__(self, at, row):
        self.rows[at] = row

    def __delitem__(self, at):
        del self.rows[at]

    def __len__(self):
        return len(self.rows)

    def insert(self, at, row):
        self.rows.insert(at, row)


y = w.exp()
rows = Grown()
rows.append(w * 2)
rows.extend([w * 3, y])
rows[1].zero_()
rows.pop().zero_()  # error: IP101
walk(y)
