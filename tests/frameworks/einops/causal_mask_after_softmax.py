"""A dropout-like mask zeroes attention weights in place after the softmax, through a rearranged view of its result."""

from functools import wraps

import torch
import torch.nn.functional as F
from einops import rearrange
from torch import nn


def exists(val):
    return val is not None


def default(val, d):
    return val if exists(val) else d


def once(fn):
    called = False

    @wraps(fn)
    def inner(x):
        nonlocal called
        if called:
            return None
        called = True
        return fn(x)

    return inner


print_once = once(lambda text: None)


def drop_pairs_(attn: torch.Tensor, keep: torch.Tensor) -> None:
    """Zeroes the attention between pairs of positions that are not kept."""
    pairs = rearrange(attn, "b h i j -> b h (i j)")
    pairs[:, :, ~keep.flatten()] = 0.0  # error: IP101


class Attend(nn.Module):
    def __init__(self, pair_dropout: float = 0.2, scale: float | None = None):
        super().__init__()
        self.pair_dropout = pair_dropout
        self.scale = scale
        print_once("using plain attention")

    def forward(self, q, k, v):
        scale = default(self.scale, q.shape[-1] ** -0.5)
        sim = torch.einsum("b h i d, b h j d -> b h i j", q, k) * scale
        attn = sim.softmax(dim=-1)
        if self.training and self.pair_dropout > 0:
            keep = torch.rand(sim.shape[-2:]) > self.pair_dropout
            drop_pairs_(attn, keep)
        return torch.einsum("b h i j, b h j d -> b h i d", attn, v)


class Block(nn.Module):
    def __init__(self, dim: int, heads: int = 2):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * dim, bias=False)
        self.attend = Attend()
        self.out = nn.Linear(dim, dim)

    def forward(self, x, context=None):
        context = default(context, x)
        q, (k, v) = self.to_q(x), self.to_kv(context).chunk(2, dim=-1)
        q, k, v = (rearrange(t, "b n (h d) -> b h n d", h=self.heads) for t in (q, k, v))
        return x + self.out(rearrange(self.attend(q, k, v), "b h n d -> b n (h d)"))


if __name__ == "__main__":
    torch.manual_seed(0)
    block = Block(6)
    x = torch.randn(2, 4, 6)
    loss = F.mse_loss(block(x), torch.zeros_like(x))
    loss.backward()
