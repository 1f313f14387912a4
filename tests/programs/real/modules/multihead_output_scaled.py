"""The attention's averaged weights are changed in place after the entropy kept them."""

import torch
import torch.nn as nn

mha = nn.MultiheadAttention(4, 2, batch_first=True)
x = torch.randn(2, 3, 4)
out, attn = mha(x, x, x, need_weights=True)
entropy = -(attn * attn.clamp_min(1e-9).log()).sum(-1).mean()
attn[:, :, 0] = 0  # error: IP101
loss = out.mean() + 0.1 * entropy + attn.sum()
loss.backward()
