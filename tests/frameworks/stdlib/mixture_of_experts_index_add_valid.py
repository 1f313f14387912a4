"""Expert outputs are weighted out of place and gathered with index_add_ into a fresh buffer, as mixture-of-experts code does."""

from collections import Counter, OrderedDict, defaultdict
from functools import cached_property, partial
from itertools import starmap
from operator import itemgetter

import torch
from torch import Tensor, nn


class Expert(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.net = nn.Sequential(OrderedDict([("fc", nn.Linear(dim, dim)), ("act", nn.Tanh())]))

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)


class Router(nn.Module):
    def __init__(self, dim: int, experts: int, top_k: int = 2) -> None:
        super().__init__()
        self.gate = nn.Linear(dim, experts, bias=False)
        self.experts = nn.ModuleList(Expert(dim) for _ in range(experts))
        self.top_k = top_k
        self.usage: Counter[int] = Counter()

    @cached_property
    def indexed(self) -> dict[int, nn.Module]:
        return dict(enumerate(self.experts))

    def dispatch(self, chosen: Tensor) -> dict[int, list[tuple[int, int]]]:
        table: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for row, experts in enumerate(chosen.tolist()):
            for slot, expert in enumerate(experts):
                table[expert].append((row, slot))
        self.usage.update({expert: len(rows) for expert, rows in table.items()})
        return table

    def run(self, x: Tensor, weights: Tensor, expert: int, entries: list[tuple[int, int]]) -> tuple[Tensor, Tensor]:
        rows, slots = (torch.tensor(list(map(itemgetter(i), entries))) for i in (0, 1))
        return rows, self.indexed[expert](x[rows]) * weights[rows, slots, None]

    def forward(self, x: Tensor) -> Tensor:
        probs = self.gate(x).softmax(dim=-1)
        weights, chosen = probs.topk(self.top_k, dim=-1)
        weights /= weights.sum(dim=-1, keepdim=True)
        final = torch.zeros_like(x)
        for rows, result in starmap(partial(self.run, x, weights), self.dispatch(chosen).items()):
            final.index_add_(0, rows, result)
        return final


def main() -> None:
    torch.manual_seed(0)
    model = Router(dim=4, experts=3)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(2):
        x = torch.randn(6, 4)
        loss = nn.functional.mse_loss(model(x), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert sum(model.usage.values()) == 24


if __name__ == "__main__":
    main()
