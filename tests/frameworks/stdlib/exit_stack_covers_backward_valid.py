"""An ExitStack keeps the quantised weights in place until the backward is over, and restores the originals for the step."""

import operator
from contextlib import ExitStack, contextmanager
from functools import reduce, singledispatch

import torch
from torch import nn


@singledispatch
def quantisable(module: nn.Module) -> list[str]:
    return []


@quantisable.register
def _(module: nn.Linear) -> list[str]:
    return ["weight"]


@quantisable.register(nn.Conv1d)
def _(module) -> list[str]:
    return ["weight", "bias"]


def fake_quantise(values: torch.Tensor, bits: int) -> torch.Tensor:
    scale = values.abs().amax() / (2 ** (bits - 1) - 1)
    return torch.round(values / scale).mul_(scale)


@contextmanager
def swapped(param: nn.Parameter, bits: int):
    original = param.detach().clone()
    with torch.no_grad():
        param.copy_(fake_quantise(param, bits))
    try:
        yield param
    finally:
        with torch.no_grad():
            param.copy_(original)


class QuantisationAware:
    def __init__(self, model: nn.Module, bits: int = 4) -> None:
        self.model, self.bits = model, bits

    def __enter__(self):
        with ExitStack() as stack:
            for module in self.model.modules():
                for name in quantisable(module):
                    stack.enter_context(swapped(operator.attrgetter(name)(module), self.bits))
            self._stack = stack.pop_all()
        return self.model

    def __exit__(self, *details) -> None:
        self._stack.close()


def penalty(model: nn.Module) -> torch.Tensor:
    return reduce(operator.iadd, (param.abs().sum() for param in model.parameters()))


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv1d(1, 3, 2), nn.Hardswish(), nn.Flatten(), nn.Linear(9, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(2):
        optimizer.zero_grad()
        with QuantisationAware(model) as quantised:
            loss = nn.functional.cross_entropy(quantised(torch.randn(3, 1, 4)), torch.tensor([0, 1, 1]))
            loss = loss + 1e-4 * penalty(quantised)
            loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
