"""Ops that keep neither: both sides may be written."""

import torch
import torch.nn.functional as F

x = torch.rand(4, requires_grad=True)
a = x * 1
outs = [
    a + 1,
    a - x,
    a * 3,
    a / 3,
    a.sum(0, keepdim=True),
    a.mean(0, keepdim=True),
    a.cumsum(0),
    torch.cat([a, a]),
    torch.stack([a, a]),
    a.sign(),
    a.clone(),
    a.repeat(2),
    F.pad(a, (1, 1)),
    a.flip(0),
    a.roll(1),
    F.dropout(a, 0.5, True),
]
a.add_(1)
for out in outs:
    out.mul_(2)
sum(out.sum() for out in outs).backward()
