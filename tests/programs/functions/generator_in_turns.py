"""A generator runs in turns with its loop: what it writes between two yields, the loop has kept."""

import torch

w = torch.randn(3, requires_grad=True)


def filled(n):
    buffer = torch.zeros(3)
    for i in range(n):
        buffer += i  # error: IP101
        yield buffer


def fresh(n):
    for i in range(n):
        yield torch.full((3,), float(i))
    return None


def both(n):
    yield from fresh(n)
    yield from filled(n)


def first_of(batches):
    for batch in batches:
        return batch * w
    return None


first_of(filled(2)).sum().backward()
for b in filled(2):
    (w * b).sum().backward()
losses = [(w * b).sum() for b in fresh(3)]
sum(losses).backward()
with torch.no_grad():
    print(sum(b.sum() for b in both(2)))
losses = [(w * b).sum() for b in both(2)]
try:
    sum(losses).backward()
except RuntimeError as e:
    print(e)
