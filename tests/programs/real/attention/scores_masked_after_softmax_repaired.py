"""The scores are masked before the softmax."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def attend(q, k, v, key_padding_mask):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    scores.masked_fill_(key_padding_mask[:, None, :], float("-inf"))
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, v)


lin = nn.Linear(4, 12)
q, k, v = lin(torch.randn(2, 5, 4)).chunk(3, dim=-1)
mask = torch.tensor([[False] * 4 + [True], [False] * 5])
attend(q, k, v, mask).sum().backward()
