"""The attention map is masked in place after softmax, which keeps its own result for the backward pass."""

import torch
from einops import einsum, rearrange
from torch import nn


class MaskedAttention(nn.Module):
    def __init__(self, dim=8, heads=2):
        super().__init__()
        self.heads = heads
        self.to_q, self.to_k, self.to_v = (nn.Linear(dim, dim, bias=False) for _ in range(3))

    def forward(self, x, mask):
        q, k, v = (rearrange(f(x), "b n (h d) -> b h n d", h=self.heads) for f in (self.to_q, self.to_k, self.to_v))
        attn = einsum(q, k, "b h i d, b h j d -> b h i j").softmax(dim=-1)
        attn.masked_fill_(rearrange(~mask, "b j -> b 1 1 j"), 0.0)  # error: IP101
        out = einsum(attn, v, "b h i j, b h j d -> b h i d")
        return rearrange(out, "b h n d -> b n (h d)")


torch.manual_seed(0)
layer = MaskedAttention()
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
tokens = torch.randn(2, 4, 8)
mask = torch.tensor([[True, True, True, False], [True, True, False, False]])
loss = layer(tokens, mask).square().mean()
loss.backward()
optimizer.step()
