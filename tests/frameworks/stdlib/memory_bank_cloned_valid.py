"""A ring buffer of features is overwritten in place before the backward, but only its clone stands in the loss."""

import random
from collections import ChainMap, deque, namedtuple
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import accumulate, cycle, islice
from operator import mul

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Views = namedtuple("Views", "query key")
DEFAULTS = {"dim": 4, "size": 6, "temperature": 0.2, "lr": 0.05}


@dataclass
class Overrides:
    size: int = 8
    temperature: float = 0.1


class MemoryBank:
    def __init__(self, size: int, dim: int) -> None:
        self.features = F.normalize(torch.randn(size, dim), dim=-1)
        self.slots = cycle(range(size))
        self.recent: deque[int] = deque(maxlen=size // 2)

    def negatives(self) -> Tensor:
        return self.features.clone()

    def enqueue(self, keys: Tensor) -> None:
        for slot, key in zip(self.slots, keys.detach()):
            self.features[slot].copy_(key)
            self.recent.append(slot)


@contextmanager
def frozen(module: nn.Module):
    flags = [param.requires_grad for param in module.parameters()]
    module.requires_grad_(False)
    try:
        yield module
    finally:
        for param, flag in zip(module.parameters(), flags):
            param.requires_grad_(flag)


def info_nce(query: Tensor, key: Tensor, negatives: Tensor, temperature: float) -> Tensor:
    logits = torch.cat([(query * key).sum(dim=-1, keepdim=True), query @ negatives.T], dim=1)
    logits /= temperature
    return F.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long))


def main() -> None:
    random.seed(0)
    torch.manual_seed(0)
    config = ChainMap(asdict(Overrides()), DEFAULTS)
    encoder = nn.Linear(3, config["dim"])
    optimizer = torch.optim.SGD(encoder.parameters(), lr=config["lr"])
    bank = MemoryBank(config["size"], config["dim"])
    rates = accumulate([config["lr"], 0.5, 0.5], mul)
    samples = [torch.randn(3) for _ in range(6)]
    for rate, chunk in zip(rates, zip(*[iter(samples)] * 3)):
        for group in optimizer.param_groups:
            group["lr"] = rate
        x = torch.stack(chunk)
        with frozen(encoder):
            key = F.normalize(encoder(x + 0.1), dim=-1)
        views = Views(query=F.normalize(encoder(x), dim=-1), key=key)
        loss = info_nce(*views, bank.negatives(), config["temperature"])
        bank.enqueue(views.key)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with suppress(IndexError):
        bank.features[list(islice(bank.recent, 2))] *= 0.5


if __name__ == "__main__":
    main()
