"""Objects of classes that inherit from `list` are lists: they are filled, read, unpacked and added like these."""

import torch


class Window(list):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def append(self, value):
        list.append(self, value)
        if len(self) > self.size:
            del self[0]


class Stack(list):
    def push(self, value):
        self.append(value)
        return self

    @property
    def top(self):
        return self[-1]


class Caches(list):
    @classmethod
    def build(cls, count):
        return cls(torch.zeros(3) for _ in range(count))


def walk_back(y):
    try:
        y.sum().backward()
    except RuntimeError:
        pass


x = torch.rand(3, requires_grad=True)
window = Window(2)
for scale in (1, 2, 3):
    window.append((x * scale).sigmoid())
for kept in window:
    kept.mul_(2)  # error: IP101
walk_back(sum(kept.sum() for kept in window))

stack = Stack([x.exp()])
stack.push(x.sigmoid())
stack.top.mul_(2)  # error: IP101
walk_back(stack[-1])

first, second = Stack([x.sigmoid(), x + 1])
second += 1
first += 1  # error: IP101
walk_back(torch.cat([first, second]))

both = Stack([x.sigmoid()]) + [x + 1]
both[1] += 1
both[0] += 1  # error: IP101
walk_back(both[0] + both[1])

total = x
caches = Caches.build(2)
for cache in caches:
    cache.copy_(total)
    total = total * cache
for cache in caches:
    cache.mul_(2)  # error: IP101
walk_back(total)


class Batch(list):
    def __init__(self, data):
        super().__init__(data)
        self.data = len(data)


batch = Batch([x.sigmoid(), x + 1])
batch[1] += batch.data
batch[0] += 1  # error: IP101
walk_back(batch[0] + batch[1])
