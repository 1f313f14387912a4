"""Embeddings are scaled and shifted in place before the encoder sees them, and a one-cycle schedule steps after each update."""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.utils.rnn import pad_sequence
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.checkpoint import checkpoint


class Encoder(nn.Module):
    def __init__(self, vocab: int = 12, dim: int = 8, depth: int = 2) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.position = nn.Parameter(torch.zeros(1, 16, dim))
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(dim, 2, 16, dropout=0.0, activation=F.gelu, batch_first=True, norm_first=True)
            for _ in range(depth)
        )
        self.norm = nn.LayerNorm(dim)
        self.classifier = nn.Linear(dim, 3)

    def forward(self, tokens):
        padding = tokens.eq(0)
        x = self.embed(tokens)
        x *= math.sqrt(x.size(-1))
        x += self.position[:, : x.size(1)]
        for layer in self.layers:
            x = checkpoint(layer, x, None, padding, use_reentrant=False)
        x = self.norm(x)
        x[padding] = 0.0
        counts = padding.logical_not().sum(dim=1, keepdim=True)
        pooled = x.sum(dim=1)
        pooled /= counts
        return self.classifier(pooled)


def main() -> None:
    torch.manual_seed(0)
    model = Encoder()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.98))
    scheduler = OneCycleLR(optimizer, max_lr=1e-2, total_steps=3)
    criterion = nn.CrossEntropyLoss()
    for lengths in ((5, 3), (4, 6)):
        tokens = pad_sequence([torch.randint(1, 12, (n,)) for n in lengths], batch_first=True)
        with sdpa_kernel(SDPBackend.MATH):
            loss = criterion(model(tokens), torch.tensor([0, 2]))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()


if __name__ == "__main__":
    main()
