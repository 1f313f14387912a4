"""Each head tensor is a plain view of its own projection, whose values no operation keeps, so scaling it in
place is fine."""

import torch
from einops import einsum, rearrange
from torch import nn


class CrossFrameAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * dim, bias=False)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        q = rearrange(self.to_q(x), "b n (h d) -> b h n d", h=self.heads)
        k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), self.to_kv(x).chunk(2, dim=-1))
        q.mul_(q.shape[-1] ** -0.5)
        sim = einsum(q, k, "b h i d, b h j d -> b h i j")
        causal = torch.ones(sim.shape[-2:], dtype=torch.bool).triu(1)
        sim.masked_fill_(causal, -torch.finfo(sim.dtype).max)
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
