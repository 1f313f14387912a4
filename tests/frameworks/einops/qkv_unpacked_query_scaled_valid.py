"""The query is scaled out of place after rearrange has been unpacked into q, k and v, so no row of the shared
tensor is written."""

import torch
import torch.nn.functional as F
from einops import rearrange
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.norm = nn.LayerNorm(dim)
        self.to_qkv = nn.Linear(dim, dim * 3, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x):
        qkv = self.to_qkv(self.norm(x))
        q, k, v = rearrange(qkv, "b n (three h d) -> three b h n d", three=3, h=self.heads)
        q = q * self.scale
        attn = (q @ k.transpose(-2, -1)).softmax(dim=-1)
        out = rearrange(attn @ v, "b h n d -> b n (h d)")
        out += x
        return self.to_out(out)


torch.manual_seed(0)
model = Attention(dim=8)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for _ in range(2):
    x, target = torch.randn(2, 5, 8), torch.randn(2, 5, 8)
    loss = F.mse_loss(model(x), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
