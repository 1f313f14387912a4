"""Unpacking the rearranged qkv tensor unbinds it, and scaling the query in place writes one of those outputs."""

import torch
from einops import rearrange, repeat
from einops.layers.torch import Rearrange
from torch import nn


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

    def forward(self, x):
        q, k, v = rearrange(self.to_qkv(self.norm(x)), "b n (three h d) -> three b h n d", three=3, h=self.heads)
        q *= self.scale  # error: IP203
        attn = (q @ k.transpose(-1, -2)).softmax(dim=-1)
        return self.to_out(rearrange(attn @ v, "b h n d -> b n (h d)"))


class ViT(nn.Module):
    def __init__(self, *, image_size, patch_size, num_classes, dim, depth, channels=1):
        super().__init__()
        (height, width), (ph, pw) = pair(image_size), pair(patch_size)
        patches = (height // ph) * (width // pw)
        self.to_patch = nn.Sequential(
            Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=ph, p2=pw), nn.Linear(channels * ph * pw, dim)
        )
        self.pos_embedding = nn.Parameter(torch.randn(1, patches + 1, dim))
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim))
        self.layers = nn.ModuleList(nn.ModuleList([Attention(dim), FeedForward(dim, dim)]) for _ in range(depth))
        self.head = nn.Linear(dim, num_classes)

    def forward(self, img):
        x = self.to_patch(img)
        cls_tokens = repeat(self.cls_token, "1 1 d -> b 1 d", b=x.shape[0])
        x = torch.cat((cls_tokens, x), dim=1) + self.pos_embedding
        for attn, ff in self.layers:
            x = attn(x) + x
            x = ff(x) + x
        return self.head(x[:, 0])


if __name__ == "__main__":
    torch.manual_seed(0)
    model = ViT(image_size=8, patch_size=4, num_classes=3, dim=8, depth=1)
    loss = nn.functional.cross_entropy(model(torch.randn(2, 1, 8, 8)), torch.tensor([0, 2]))
    loss.backward()
