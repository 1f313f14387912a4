"""`enumerate`, `zip` and `map` ask a generator for its next element when the loop asks them: both take turns."""

import torch


def steps(t, n):
    for _ in range(n):
        t = torch.tanh(t)
        yield t


w = torch.rand(3, requires_grad=True)
for number, t in enumerate(steps(w * 1, 2)):
    t.add_(1)  # error: IP101
t.sum().backward()

for t, factor in zip(steps(w * 1, 2), [2, 3]):
    t.mul_(factor)  # error: IP101
t.sum().backward()

for t in map(torch.Tensor.detach, steps(w * 1, 2)):
    t.sub_(1)  # error: IP101

for t in list(steps(w * 1, 2)):
    t = t + 1
t.sum().backward()
