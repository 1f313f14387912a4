"""A view that is made under `no_grad` is used again after a write to its base: torch refuses that. The twin, whose
scores are computed of such a view, is fine."""

import torch

score = eval("lambda points: points.sum(dim=(1, 2))")


def step(points: torch.Tensor):
    with torch.no_grad():
        rows = points.unsqueeze(1)
        scores = score(rows)
    best, at = points.max(dim=0)
    scores[0], points[0] = best.sum(), best  # error: IP204
    return points, scores, rows * 2


start = torch.rand(4, 2, requires_grad=True)
points, scores, rows = step(start * 2)
(points.sum() + scores.sum() + rows.sum()).backward()
