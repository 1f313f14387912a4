"""Containers, operators, patterns and loops of the user."""

import torch
import torch.nn as nn


class Counter:
    def __init__(self):
        self.items = []

    def __iadd__(self, other):
        self.items.append(other)
        return self

    def __getitem__(self, i):
        return self.items[i]

    def __len__(self):
        return len(self.items)


c = Counter()
w = torch.randn(4, requires_grad=True)
c += w.exp()
c += w.sin()
first, second = c[0], c[1]
first.mul_(2)  # error: IP101
loss = sum(x.sum() for x in c.items)
try:
    loss.backward()
except RuntimeError as e:
    print(e)

hist = {"a": w * 2, "b": [w * 3, w.sigmoid()]}
for k, v in hist.items():
    if isinstance(v, list):
        v[1] -= 0.5  # error: IP101
    else:
        v -= 0.5
out = hist["a"].sum() + hist["b"][1].sum()
try:
    out.backward()
except RuntimeError as e:
    print(e)

match hist:
    case {"a": t, "b": [u, *rest]}:
        u.add_(t)
        u.sum().backward()  # error: IP103

i = 0
h = w.tanh()
while i < 3:
    h = (h * 2).tanh()
    if i == 1:
        h.clamp_(min=0)  # error: IP101
        break
    i += 1
else:
    h = h * 0
try:
    h.sum().backward()
except RuntimeError as e:
    print(e)

if (n := w.norm()) is not None:
    n += 1  # error: IP101
    try:
        n.backward()
    except RuntimeError as e:
        print(e)
