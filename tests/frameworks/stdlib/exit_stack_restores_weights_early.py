"""An ExitStack puts quantised weights in place for the forward and restores the originals on leaving, before the backward."""

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
    return torch.round(values / scale) * scale


@contextmanager
def swapped(param: nn.Parameter, bits: int):
    original = param.detach().clone()
    with torch.no_grad():
        param.copy_(fake_quantise(param, bits))
    try:
        yield param
    finally:
        with torch.no_grad():
            param.copy_(original)  # error: IP101


class QuantisationAware:
    def __init__(self, model: nn.Module, bits: int = 4) -> None:
        self.model, self.bits = model, bits

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        with ExitStack() as stack:
            for module in self.model.modules():
                for name in quantisable(module):
                    stack.enter_context(swapped(operator.attrgetter(name)(module), self.bits))
            return self.model(x)


def penalty(model: nn.Module) -> torch.Tensor:
    return reduce(operator.add, (param.abs().sum() for param in model.parameters()))


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv1d(1, 3, 2), nn.Hardswish(), nn.Flatten(), nn.Linear(9, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    forward = QuantisationAware(model)
    loss = nn.functional.cross_entropy(forward(torch.randn(3, 1, 4)), torch.tensor([0, 1, 1]))
    loss = loss + 1e-4 * penalty(model)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


if __name__ == "__main__":
    main()
