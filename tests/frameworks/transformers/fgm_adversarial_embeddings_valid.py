"""FGM attacks the embedding matrix in place between two backwards and restores it, while no graph is alive."""

import torch
from transformers import BertConfig, BertForTokenClassification


class FGM:
    def __init__(self, model: torch.nn.Module, epsilon: float = 1.0, target: str = "word_embeddings") -> None:
        self.model, self.epsilon, self.target = model, epsilon, target
        self.backup: dict[str, torch.Tensor] = {}

    def _targets(self):
        return ((n, p) for n, p in self.model.named_parameters() if p.requires_grad and self.target in n)

    @torch.no_grad()
    def attack(self) -> None:
        for name, param in self._targets():
            self.backup[name] = param.clone()
            norm = torch.linalg.vector_norm(param.grad)
            if norm > 0 and torch.isfinite(norm):
                param.add_(param.grad / norm, alpha=self.epsilon)

    @torch.no_grad()
    def restore(self) -> None:
        for name, param in self._targets():
            param.copy_(self.backup.pop(name))


def r_drop(model, batch, alpha: float = 0.5):
    first, second = model(**batch), model(**batch)
    log_p, log_q = (out.logits.log_softmax(-1) for out in (first, second))
    kl = torch.nn.functional.kl_div(log_p, log_q, log_target=True, reduction="batchmean")
    return (first.loss + second.loss) / 2 + alpha * kl


def train_step(model, batch, optimizer, fgm) -> None:
    r_drop(model, batch).backward()
    fgm.attack()
    model(**batch).loss.backward()
    fgm.restore()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()


def main() -> None:
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=15,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        num_labels=3,
        max_position_embeddings=8,
    )
    model = BertForTokenClassification(config).train()
    no_decay = ("bias", "LayerNorm.weight")
    groups = [
        {"params": [p for n, p in model.named_parameters() if not n.endswith(no_decay)], "weight_decay": 0.01},
        {"params": [p for n, p in model.named_parameters() if n.endswith(no_decay)], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=1e-3)
    fgm = FGM(model, epsilon=0.5)
    for _ in range(2):
        batch = {"input_ids": torch.randint(15, (2, 6)), "labels": torch.randint(3, (2, 6))}
        train_step(model, batch, optimizer, fgm)


if __name__ == "__main__":
    main()
