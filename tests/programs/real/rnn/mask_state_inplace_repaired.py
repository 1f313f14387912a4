"""It is zeroed with where."""

import torch
import torch.nn as nn


def encode(cell, proj, xs, lengths):
    h = torch.zeros(xs.size(1), 4)
    scores = []
    for t, x in enumerate(xs):
        h = cell(x, h)
        scores.append(proj(h))
        done = t >= lengths
        h = torch.where(done.unsqueeze(1), torch.zeros_like(h), h)
    return torch.stack(scores), h


cell, proj = nn.GRUCell(3, 4), nn.Linear(4, 2)
scores, last = encode(cell, proj, torch.randn(5, 2, 3), torch.tensor([2, 4]))
(scores.sum() + last.sum()).backward()
