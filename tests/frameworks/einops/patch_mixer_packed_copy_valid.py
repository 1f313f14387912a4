"""Packing several tensors concatenates them into a new one, and writing that in place leaves what layers saved alone."""

import torch
from einops import pack, rearrange, reduce, unpack
from einops.layers.torch import EinMix, Rearrange, Reduce
from torch import nn


class PreNormResidual(nn.Module):
    def __init__(self, dim: int, fn: nn.Module, registers: int = 0) -> None:
        super().__init__()
        self.fn = fn
        self.norm = nn.LayerNorm(dim)
        self.registers = nn.Parameter(torch.randn(registers, dim)) if registers else None

    def forward(self, x):
        update = self.fn(self.norm(x))
        if self.registers is not None:
            update = centre_with(update, self.registers)
        update += x
        return update


def centre_with(tokens: torch.Tensor, registers: torch.Tensor) -> torch.Tensor:
    flat, shapes = pack([tokens, registers], "* d")
    flat -= reduce(flat, "n d -> 1 d", "mean")
    tokens, _ = unpack(flat, shapes, "* d")
    return tokens.clone()


def feed_forward(dim: int, expansion: int, dense) -> nn.Sequential:
    return nn.Sequential(dense(dim, dim * expansion), nn.GELU(), dense(dim * expansion, dim))


def mixer(patches: int, dim: int, depth: int, patch: int, classes: int) -> nn.Sequential:
    def channels_first(a: int, b: int) -> nn.Module:
        return nn.Conv1d(a, b, kernel_size=1)

    blocks = (
        nn.Sequential(
            PreNormResidual(dim, feed_forward(patches, 2, channels_first), registers=2),
            PreNormResidual(dim, feed_forward(dim, 2, nn.Linear)),
        )
        for _ in range(depth)
    )
    return nn.Sequential(
        Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=patch, p2=patch),
        EinMix("b n i -> b n o", weight_shape="i o", bias_shape="o", i=patch * patch, o=dim),
        *blocks,
        nn.LayerNorm(dim),
        Reduce("b n c -> b c", "mean"),
        nn.Linear(dim, classes),
    )


def main() -> None:
    torch.manual_seed(0)
    model = mixer(patches=4, dim=6, depth=1, patch=2, classes=3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    images = rearrange(torch.arange(32.0), "(b c h w) -> b c h w", b=2, c=1, h=4)
    images /= 32
    loss = nn.functional.cross_entropy(model(images), torch.tensor([1, 2]))
    loss.backward()
    optimizer.step()


if __name__ == "__main__":
    main()
