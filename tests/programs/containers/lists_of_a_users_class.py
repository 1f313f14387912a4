"""A class that inherits from `list` calls its methods by the class; an attribute that another method sets may be there."""

import torch


class Window(list):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def append(self, value):
        list.append(self, value)
        if len(self) > self.size:
            del self[0]


class Cache:
    def fill(self, x):
        self.kept = x.exp()

    def shift(self):
        kept = getattr(self, "kept", None)
        if kept is None:
            return None
        y = kept.sigmoid()
        y += 1  # error: IP101
        return y.sum()


x = torch.rand(3, requires_grad=True)
window = Window(2)
for scale in (1, 2, 3):
    window.append((x * scale).sin())
torch.stack(list(window)).sum().backward()

cache = Cache()
cache.fill(x)
try:
    cache.shift().backward()
except RuntimeError:
    pass
