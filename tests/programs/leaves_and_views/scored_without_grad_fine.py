"""What an unseen function computes of a view under `no_grad` has no graph: a write to the base leaves it as it is."""

import torch

score = eval("lambda points: points.sum(dim=(1, 2))")


def step(points: torch.Tensor):
    with torch.no_grad():
        scores = score(points.unsqueeze(1))
    best, at = points.max(dim=0)
    scores[0], points[0] = best.sum(), best
    return points, scores


start = torch.rand(4, 2, requires_grad=True)
points, scores = step(start * 2)
(points.sum() + scores.sum()).backward()
