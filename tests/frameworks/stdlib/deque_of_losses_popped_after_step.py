"""Losses wait in a deque for their backward, and the optimizer steps for one of them while the next is still queued."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, islice

import torch
from torch import Tensor, nn


@dataclass
class Pipeline:
    """Runs the forward of later batches before the backward of earlier ones."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    depth: int = 2
    queue: deque = field(default_factory=deque)

    def push(self, x: Tensor, y: Tensor) -> None:
        self.queue.append(nn.functional.mse_loss(self.model(x), y))
        if len(self.queue) >= self.depth:
            self.drain_one()

    def drain_one(self) -> None:
        loss = self.queue.popleft()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()  # error: IP102

    def flush(self) -> None:
        while self.queue:
            self.drain_one()


def batches(dim: int) -> Iterator[tuple[Tensor, Tensor]]:
    for seed in count():
        generator = torch.Generator().manual_seed(seed)
        x = torch.randn(4, dim, generator=generator)
        yield x, x.sum(dim=1, keepdim=True)


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.GELU(), nn.Linear(8, 1))
    pipeline = Pipeline(model, torch.optim.SGD(model.parameters(), lr=0.01), depth=2)
    for x, y in islice(batches(3), 3):
        pipeline.push(x, y)
    pipeline.flush()


if __name__ == "__main__":
    main()
