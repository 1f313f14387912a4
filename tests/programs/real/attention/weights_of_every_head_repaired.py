"""A copy of the weights is changed."""

import torch
import torch.nn as nn

attn = nn.MultiheadAttention(8, 2, batch_first=True)
x = torch.randn(2, 4, 8)
out, weights = attn(x, x, x, average_attn_weights=False)
weights = weights.clone()
weights[..., 0] = 0
(out.sum() + weights.pow(2).sum()).backward()
