"""Textual inversion puts the rows of the other tokens back in place after the step, as the published scripts do."""

import torch
import torch.nn.functional as F
from peft import LoraConfig, get_peft_model
from torch import nn


class TiedTextModel(nn.Module):
    def __init__(self, vocab: int, dim: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.proj = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, ids):
        hidden = self.norm(self.proj(self.embedding(ids)))
        return hidden @ self.embedding.weight.T


class EmbeddingKeeper:
    """Keeps every row as it was but those of the new tokens."""

    def __init__(self, embedding: nn.Embedding, new_tokens: list[int]) -> None:
        self.embedding = embedding
        self.keep = torch.ones(embedding.num_embeddings, dtype=torch.bool)
        self.keep[new_tokens] = False
        self.original = embedding.weight.detach().clone()

    def restore(self) -> None:
        with torch.no_grad():
            self.embedding.weight[self.keep] = self.original[self.keep]


def main() -> None:
    torch.manual_seed(0)
    base = TiedTextModel(vocab=12, dim=6)
    model = get_peft_model(base, LoraConfig(r=2, lora_alpha=4, target_modules=["proj"]))
    base.embedding.weight.requires_grad_(True)
    keeper = EmbeddingKeeper(base.embedding, new_tokens=[10, 11])
    trainable = [param for param in model.parameters() if param.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=5e-3, weight_decay=0.0)
    for _ in range(2):
        ids = torch.randint(0, 12, (2, 5))
        logits = model(ids)
        loss = F.cross_entropy(logits[:, :-1].reshape(-1, 12), ids[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        keeper.restore()


if __name__ == "__main__":
    main()
