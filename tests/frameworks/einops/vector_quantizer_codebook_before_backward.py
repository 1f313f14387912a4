"""The vector quantiser moves its codebook in place by an average, though the distances to it are still to be walked."""

import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import nn


def ema_inplace(old: torch.Tensor, new: torch.Tensor, decay: float) -> None:
    old.mul_(decay).add_(new, alpha=1 - decay)  # error: IP101


def laplace_smoothing(x, n_categories, eps=1e-5):
    return (x + eps) / (x.sum() + n_categories * eps)


class EuclideanCodebook(nn.Module):
    def __init__(self, dim: int, codebook_size: int, decay: float = 0.8) -> None:
        super().__init__()
        self.decay = decay
        self.codebook_size = codebook_size
        self.register_buffer("embed", torch.randn(codebook_size, dim))
        self.register_buffer("cluster_size", torch.ones(codebook_size))

    def forward(self, x):
        flat = rearrange(x, "... d -> (...) d")
        similarity = einsum(flat, self.embed, "n d, c d -> n c")
        index = similarity.argmax(dim=-1)
        onehot = F.one_hot(index, self.codebook_size).type(x.dtype)
        quantize = rearrange(F.embedding(index, self.embed), "(b n) d -> b n d", b=x.shape[0])
        usage = similarity.softmax(dim=-1).mean(dim=0)
        if self.training:
            ema_inplace(self.cluster_size, onehot.sum(0), self.decay)
            embed_sum = einsum(flat.detach(), onehot, "n d, n c -> c d")
            smoothed = laplace_smoothing(self.cluster_size, self.codebook_size) * self.cluster_size.sum()
            ema_inplace(self.embed, embed_sum / rearrange(smoothed, "c -> c 1"), self.decay)
        return quantize, index, usage


class VectorQuantize(nn.Module):
    def __init__(self, dim: int, codebook_size: int = 5, commitment: float = 1.0, diversity: float = 0.1) -> None:
        super().__init__()
        self.project = nn.Linear(dim, dim)
        self.codebook = EuclideanCodebook(dim, codebook_size)
        self.commitment, self.diversity = commitment, diversity

    def forward(self, x):
        x = self.project(x)
        quantize, index, usage = self.codebook(x)
        loss = self.commitment * F.mse_loss(quantize.detach(), x)
        loss = loss + self.diversity * (usage * usage.log()).sum()
        quantize = x + (quantize - x).detach()
        return quantize, index, loss


if __name__ == "__main__":
    torch.manual_seed(0)
    quantizer, decoder = VectorQuantize(4), nn.Linear(4, 4)
    x = repeat(torch.randn(3, 4), "n d -> b n d", b=2)
    quantized, _, aux = quantizer(x)
    (F.mse_loss(decoder(quantized), x) + aux).backward()
