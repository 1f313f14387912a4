"""What a generator yields is judged like what a function returns, whoever asks for it; what an iterator hides is not."""

import torch


def grown(tensors):
    for t in tensors:
        t.add_(1)  # error: IP101
        yield t


def doubled(tensors):
    for t in tensors:
        yield t * 2


class Pair:
    def __init__(self, t):
        self.t = t

    def __iter__(self):
        return iter([self.t, self.t * 2])


w = torch.rand(3, requires_grad=True)
y = [t for t in grown([w.exp()])][0]

h = w * 2
h.mul_(h.detach().exp())
z = list(doubled([h]))[0]

k = w * 2
squared = k * k
k.add_(1)
_, twice = Pair(squared)
