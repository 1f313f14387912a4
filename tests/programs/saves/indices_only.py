"""Ops that keep indices or a condition, not the values."""

import torch

x = torch.rand(6, requires_grad=True)
a = x * 1
ordered, order = a.sort()
best, which = a.topk(2)
high, at = a.max(0)
chosen = torch.where(a > 0.5, a, a * 2)
masked = a.masked_fill(a > 0.9, 0.0)
picked = a[torch.tensor([0, 2])]
a.add_(1)
for result in (ordered, best, high, chosen, masked, picked):
    result.mul_(2)
(ordered.sum() + best.sum() + high + chosen.sum() + masked.sum() + picked.sum()).backward()
