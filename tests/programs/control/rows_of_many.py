"""Rows stacked in a loop of many passes: their number is that of the passes."""

import torch

w = torch.randn(3, requires_grad=True)
rows = torch.stack([w * i for i in range(6)])
kept = rows.exp()
kept[4].add_(1) if rows.shape[0] == 6 else kept + 1  # error: IP101
kept.sum().backward()
