"""A mask that zeroes a clone is fine; the same mask on the leaf is refused at the write, not at backward."""

import torch


def clipped_loss(scores, wanted):
    kept = scores.clone()
    kept[kept < 0] = 0
    return torch.mean((kept - wanted) ** 2)


scores = torch.randn(6, requires_grad=True)
wanted = torch.randn(6)
clipped_loss(scores, wanted).backward()

scores = torch.randn(6, requires_grad=True)
scores[scores < 0] = 0  # error: IP201
torch.mean((scores - wanted) ** 2).backward()
