"""Token embeddings of a sentence encoder are normalised in place by their own norm, which saved them."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn
from transformers import AutoModel, DistilBertConfig, PreTrainedModel


class Pair(NamedTuple):
    query: dict
    passage: dict


class EmbeddingModel(nn.Module):
    def __init__(self, backbone: PreTrainedModel, normalise: bool = True, temperature: float = 0.05) -> None:
        super().__init__()
        self.backbone = backbone
        self.normalise = normalise
        self.temperature = temperature

    def pool(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        return (hidden * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1e-9)

    def encode(self, features: dict) -> torch.Tensor:
        hidden = self.backbone(**features).last_hidden_state
        sentence = self.pool(hidden, features["attention_mask"])
        if self.normalise:
            sentence /= sentence.norm(p=2, dim=-1, keepdim=True)  # error: IP101
        return sentence.contiguous()

    def forward(self, pair: Pair) -> torch.Tensor:
        q, p = self.encode(pair.query), self.encode(pair.passage)
        scores = torch.matmul(q, p.transpose(0, 1)) / self.temperature
        return F.cross_entropy(scores, torch.arange(scores.size(0)))


def tokenised(batch: int, length: int) -> dict:
    ids = torch.randint(1, 20, (batch, length))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def main() -> None:
    torch.manual_seed(0)
    config = DistilBertConfig(vocab_size=20, dim=8, n_layers=1, n_heads=2, hidden_dim=8, max_position_embeddings=16)
    model = EmbeddingModel(AutoModel.from_config(config)).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5, weight_decay=0.01)
    for _ in range(2):
        loss = model(Pair(query=tokenised(3, 5), passage=tokenised(3, 7)))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
