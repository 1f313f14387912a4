"""Masks, elements and sums."""

import torch

x = torch.randn(5, requires_grad=True)
mask = x > 0
y = x.clone()
y[mask] = y[mask] ** 2
y[~mask] = 0
loss = y.sum()
loss.backward()

z = x * 3
for i in range(5):
    z[i] = z[i] * z[i]  # error: IP101
z.sum().backward()

acc = torch.zeros(1)
for i in range(3):
    acc += (x**2).sum()
acc.backward()

total = x.sum()
for i in range(3):
    total = total * 2
    total += i
total.backward()
