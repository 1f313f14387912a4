"""Scores are masked in place through a rearranged view before the softmax, and einsum does not keep its result."""

import torch
import torch.nn.functional as F
from einops import rearrange, repeat
from torch import nn


def exists(val):
    return val is not None


def default(val, d):
    return val if exists(val) else d


def mask_pairs_(sim: torch.Tensor, blocked: torch.Tensor) -> None:
    """Blocks pairs of positions."""
    pairs = rearrange(sim, "b h i j -> b h (i j)")
    pairs[:, :, blocked.flatten()] = -torch.finfo(sim.dtype).max


class Attend(nn.Module):
    def __init__(self, causal: bool = False, scale: float | None = None):
        super().__init__()
        self.causal = causal
        self.scale = scale

    def forward(self, q, k, v, bias=None):
        scale = default(self.scale, q.shape[-1] ** -0.5)
        sim = torch.einsum("b h i d, b h j d -> b h i j", q, k)
        sim *= scale
        if exists(bias):
            sim += rearrange(bias, "h i j -> 1 h i j")
        if self.causal:
            blocked = torch.ones(sim.shape[-2:], dtype=torch.bool).triu_(1)
            mask_pairs_(sim, blocked)
        return torch.einsum("b h i j, b h j d -> b h i d", sim.softmax(dim=-1), v)


class Block(nn.Module):
    def __init__(self, dim: int, heads: int = 2):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * dim, bias=False)
        self.slopes = nn.Parameter(torch.tensor([2.0**-i for i in range(heads)]))
        self.attend = Attend(causal=True)
        self.out = nn.Linear(dim, dim)

    def alibi(self, n: int) -> torch.Tensor:
        distance = torch.arange(n)[None, :] - torch.arange(n)[:, None]
        grid = repeat(distance.float(), "i j -> h i j", h=self.heads).clone()
        grid.clamp_(max=0)
        return grid * self.slopes[:, None, None]

    def forward(self, x, context=None):
        context = default(context, x)
        q, (k, v) = self.to_q(x), self.to_kv(context).chunk(2, dim=-1)
        q, k, v = (rearrange(t, "b n (h d) -> b h n d", h=self.heads) for t in (q, k, v))
        return x + self.out(rearrange(self.attend(q, k, v, bias=self.alibi(x.shape[1])), "b h n d -> b n (h d)"))


if __name__ == "__main__":
    torch.manual_seed(0)
    block = Block(6)
    x = torch.randn(2, 4, 6)
    loss = F.mse_loss(block(x), torch.zeros_like(x))
    loss.backward()
