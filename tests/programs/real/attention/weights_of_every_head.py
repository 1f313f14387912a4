"""The weights that attention returns for every head are the softmax's own result."""

import torch
import torch.nn as nn

attn = nn.MultiheadAttention(8, 2, batch_first=True)
x = torch.randn(2, 4, 8)
out, weights = attn(x, x, x, average_attn_weights=False)
weights[..., 0] = 0  # error: IP101
(out.sum() + weights.pow(2).sum()).backward()
