"""The heads are views of the chunks of one projection, and torch refuses to write one of several views made by
a single call."""

import torch
from einops import einsum, rearrange
from torch import nn


class CrossFrameAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        qkv = self.to_qkv(x).chunk(3, dim=-1)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), qkv)
        q.mul_(q.shape[-1] ** -0.5)  # error: IP203
        sim = einsum(q, k, "b h i d, b h j d -> b h i j")
        attn = sim.softmax(dim=-1)
        out = einsum(attn, v, "b h i j, b h j d -> b h i d")
        return self.proj(rearrange(out, "b h n d -> b n (h d)"))


def train(steps=2):
    model = CrossFrameAttention(dim=8, heads=2)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(steps):
        frames = torch.randn(2, 4, 8)
        loss = (model(frames) - frames).pow(2).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    train()
