"""Gradients of several micro-batches add up under no_sync and are rescaled in place before the step."""

from contextlib import nullcontext

import torch
from accelerate import Accelerator
from torch import nn


class Residual(nn.Module):
    def __init__(self, dim: int, drop: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.ff = nn.Sequential(
            nn.Linear(dim, 2 * dim), nn.GELU(), nn.Dropout(drop, inplace=True), nn.Linear(2 * dim, dim)
        )

    def forward(self, x):
        out = self.ff(self.norm(x))
        out += x
        return out


def micro_batches(batch: dict[str, torch.Tensor], size: int):
    pieces = {name: value.split(size) for name, value in batch.items()}
    count = len(next(iter(pieces.values())))
    for index in range(count):
        yield index == count - 1, {name: parts[index] for name, parts in pieces.items()}


def rescale_(model: nn.Module, tokens: int) -> None:
    for param in model.parameters():
        if param.grad is not None:
            param.grad.div_(tokens)


def main() -> None:
    torch.manual_seed(0)
    accelerator = Accelerator(cpu=True)
    model = nn.Sequential(nn.Embedding(13, 6), Residual(6, 0.1), Residual(6, 0.1), nn.Linear(6, 13))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
    model, optimizer = accelerator.prepare(model, optimizer)
    criterion = nn.CrossEntropyLoss(reduction="sum", ignore_index=-100)
    for _ in range(2):
        ids = torch.randint(13, (4, 7))
        labels = ids.roll(-1, dims=1)
        labels[:, -1] = -100
        tokens = int(labels.ne(-100).sum())
        for last, part in micro_batches({"ids": ids, "labels": labels}, size=2):
            context = nullcontext() if last else accelerator.no_sync(model)
            with context:
                logits = model(part["ids"])
                accelerator.backward(criterion(logits.flatten(0, 1), part["labels"].flatten()))
        rescale_(model, tokens)
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
