"""Residuals are added in place to the outputs of linear layers, and the query is rebound, so nothing saved is written."""

import torch
from einops import rearrange, reduce, repeat
from einops.layers.torch import Rearrange
from torch import einsum, nn


def pair(t):
    return t if isinstance(t, tuple) else (t, t)


class FeedForward(nn.Module):
    def __init__(self, dim, hidden_dim, dropout=0.0):
        super().__init__()
        self.net = nn.Sequential(
            nn.LayerNorm(dim), nn.Linear(dim, hidden_dim), nn.GELU(), nn.Dropout(dropout), nn.Linear(hidden_dim, dim)
        )

    def forward(self, x):
        return self.net(x)


class Attention(nn.Module):
    def __init__(self, dim, heads=2, dim_head=4):
        super().__init__()
        self.heads = heads
        self.scale = dim_head**-0.5
        self.norm = nn.LayerNorm(dim)
        self.to_qkv = nn.Linear(dim, heads * dim_head * 3, bias=False)
        self.to_out = nn.Linear(heads * dim_head, dim)

    def forward(self, x, mask=None):
        qkv = self.to_qkv(self.norm(x)).chunk(3, dim=-1)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), qkv)
        q = q * self.scale
        dots = einsum("b h i d, b h j d -> b h i j", q, k)
        if mask is not None:
            dots.masked_fill_(~rearrange(mask, "b j -> b 1 1 j"), -torch.finfo(dots.dtype).max)
        dots -= reduce(dots.detach(), "b h i j -> b h i 1", "max")
        out = einsum("b h i j, b h j d -> b h i d", dots.softmax(dim=-1), v)
        return self.to_out(rearrange(out, "b h n d -> b n (h d)"))


class ViT(nn.Module):
    def __init__(self, *, image_size, patch_size, num_classes, dim, depth, channels=1):
        super().__init__()
        (height, width), (ph, pw) = pair(image_size), pair(patch_size)
        self.to_patch = nn.Sequential(
            Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=ph, p2=pw), nn.Linear(channels * ph * pw, dim)
        )
        patches = (height // ph) * (width // pw)
        self.pos_embedding = nn.Parameter(torch.randn(patches + 1, dim))
        self.cls_token = nn.Parameter(torch.randn(dim))
        self.layers = nn.ModuleList(nn.ModuleList([Attention(dim), FeedForward(dim, dim)]) for _ in range(depth))
        self.head = nn.Linear(dim, num_classes)

    def forward(self, img, mask=None):
        x = self.to_patch(img)
        x = torch.cat((repeat(self.cls_token, "d -> b 1 d", b=len(x)), x), dim=1)
        x += self.pos_embedding
        for attn, ff in self.layers:
            residual, x = x, attn(x, mask=mask)
            x += residual
            residual, x = x, ff(x)
            x += residual
        return self.head(reduce(x, "b n d -> b d", "mean"))


if __name__ == "__main__":
    torch.manual_seed(0)
    model = ViT(image_size=8, patch_size=4, num_classes=3, dim=8, depth=2)
    mask = torch.ones(2, 5, dtype=torch.bool)
    mask[1, 3:] = False
    loss = nn.functional.cross_entropy(model(torch.randn(2, 1, 8, 8), mask=mask), torch.tensor([0, 2]))
    loss.backward()
