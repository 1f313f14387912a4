"""Dicts and lists of the library that classes inherit from, and references that do not keep their object."""

import weakref
from collections import UserDict, UserList

import torch


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


class Named(UserDict):
    def __missing__(self, key):
        self[key] = torch.ones(3)
        return self[key]


class Copies(UserDict):
    def __getitem__(self, key):
        return super().__getitem__(key).clone()


class History(UserList):
    def last(self):
        return self[-1]


class Holder:
    def __init__(self, value):
        self.value = value

    def scale(self):
        self.value.mul_(2)  # error: IP101


w = torch.rand(3, requires_grad=True)

entries = UserDict({"a": torch.ones(3)}, b=torch.ones(3))
y = w * entries["a"]
entries["b"].add_(1)
walk(y)
y = w * entries["a"]
for value in entries.values():
    value.add_(1)  # error: IP101
walk(y)

named = Named()
y = w * named["new"]
named["new"].add_(1)  # error: IP101
walk(y)

copies = Copies(a=torch.ones(3))
y = w * copies["a"]
copies["a"].add_(1)
copies.get("a").add_(1)
walk(y)

history = History([torch.ones(3)])
history.append(torch.ones(3))
y = w * history[0]
history.last().add_(1)
walk(y)
y = w * history[0]
history.pop(0).add_(1)  # error: IP101
walk(y)

holder, other = Holder(w.exp()), Holder(w.exp())
found = weakref.ref(holder)
y = holder.value.sum()
weakref.proxy(other).value.mul_(2)
walk(y)
holder.value = w.exp()
y = holder.value.sum()
found().value.mul_(2)  # error: IP101
walk(y)

by_name = weakref.WeakValueDictionary()
by_name["third"] = third = Holder(w.exp())
y = third.value.sum()
by_name["third"].scale()
walk(y)
