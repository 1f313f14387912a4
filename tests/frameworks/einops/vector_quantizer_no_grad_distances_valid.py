"""The distances to the codebook are taken under no_grad, so moving the codebook in place before the backward is harmless."""

import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import nn


def ema_inplace(old: torch.Tensor, new: torch.Tensor, decay: float) -> None:
    old.mul_(decay).add_(new, alpha=1 - decay)


def laplace_smoothing(x, n_categories, eps=1e-5):
    return (x + eps) / (x.sum() + n_categories * eps)


class EuclideanCodebook(nn.Module):
    def __init__(self, dim: int, codebook_size: int, decay: float = 0.8) -> None:
        super().__init__()
        self.decay = decay
        self.codebook_size = codebook_size
        self.register_buffer("embed", torch.randn(codebook_size, dim))
        self.register_buffer("cluster_size", torch.ones(codebook_size))

    @torch.no_grad()
    def forward(self, x):
        flat = rearrange(x, "... d -> (...) d")
        similarity = einsum(flat, self.embed, "n d, c d -> n c")
        index = similarity.argmax(dim=-1)
        onehot = F.one_hot(index, self.codebook_size).type(x.dtype)
        quantize = rearrange(F.embedding(index, self.embed), "(b n) d -> b n d", b=x.shape[0])
        if self.training:
            ema_inplace(self.cluster_size, onehot.sum(0), self.decay)
            embed_sum = einsum(flat, onehot, "n d, n c -> c d")
            smoothed = laplace_smoothing(self.cluster_size, self.codebook_size) * self.cluster_size.sum()
            ema_inplace(self.embed, embed_sum / rearrange(smoothed, "c -> c 1"), self.decay)
        return quantize, index


class VectorQuantize(nn.Module):
    def __init__(self, dim: int, codebook_size: int = 5, commitment: float = 1.0) -> None:
        super().__init__()
        self.project = nn.Linear(dim, dim)
        self.codebook = EuclideanCodebook(dim, codebook_size)
        self.commitment = commitment

    def forward(self, x):
        x = self.project(x)
        quantize, index = self.codebook(x)
        loss = self.commitment * F.mse_loss(quantize, x)
        quantize = x + (quantize - x).detach()
        return quantize, index, loss


if __name__ == "__main__":
    torch.manual_seed(0)
    quantizer, decoder = VectorQuantize(4), nn.Linear(4, 4)
    optimizer = torch.optim.Adam([*quantizer.parameters(), *decoder.parameters()])
    for _ in range(2):
        x = repeat(torch.randn(3, 4), "n d -> b n d", b=2)
        quantized, _, aux = quantizer(x)
        optimizer.zero_grad()
        (F.mse_loss(decoder(quantized), x) + aux).backward()
        optimizer.step()
