"""Losses wait in a deque until it is full, are summed and walked together, and only then does the optimizer step."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, islice

import torch
from torch import Tensor, nn


@dataclass
class Pipeline:
    """Runs several forwards before one backward."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    depth: int = 2
    queue: deque = field(default_factory=deque)
    recent: deque = field(default_factory=lambda: deque(maxlen=3))

    def push(self, x: Tensor, y: Tensor) -> None:
        self.queue.append(nn.functional.mse_loss(self.model(x), y))
        if len(self.queue) >= self.depth:
            self.flush()

    def flush(self) -> None:
        if not self.queue:
            return
        total = self.queue.popleft()
        while self.queue:
            total += self.queue.popleft()
        self.optimizer.zero_grad()
        total.backward()
        self.optimizer.step()
        self.recent.append(total.detach())
        self.recent[-1].div_(self.depth)


def batches(dim: int) -> Iterator[tuple[Tensor, Tensor]]:
    for seed in count():
        generator = torch.Generator().manual_seed(seed)
        x = torch.randn(4, dim, generator=generator)
        yield x, x.sum(dim=1, keepdim=True)


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.GELU(), nn.Linear(8, 1))
    pipeline = Pipeline(model, torch.optim.SGD(model.parameters(), lr=0.01), depth=2)
    for x, y in islice(batches(3), 5):
        pipeline.push(x, y)
    pipeline.flush()


if __name__ == "__main__":
    main()
