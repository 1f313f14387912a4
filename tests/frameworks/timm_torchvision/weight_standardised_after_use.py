"""Weight standardisation writes the convolution's own weight under no_grad right after it was used."""

from typing import Callable

import torch
import torch.nn.functional as F
from timm.layers import BatchNormAct2d, DropPath, LayerNorm2d, SelectAdaptivePool2d, trunc_normal_
from torch import nn

NORMS: dict[str, Callable[[int], nn.Module]] = {"bn": BatchNormAct2d, "ln": LayerNorm2d}


class StdConv2d(nn.Conv2d):
    """A convolution that keeps its filters standardised."""

    def __init__(self, *args, eps: float = 1e-6, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.eps = eps
        trunc_normal_(self.weight, std=0.02)

    @torch.no_grad()
    def standardise_(self) -> None:
        filters = self.weight.flatten(1)
        mean, std = filters.mean(dim=1, keepdim=True), filters.std(dim=1, keepdim=True)
        filters.sub_(mean).div_(std + self.eps)  # error: IP101

    def forward(self, x):
        out = super().forward(x)
        if self.training:
            self.standardise_()
        return out


class ConvBlock(nn.Module):
    def __init__(self, inp: int, out: int, norm: str, drop_path: float = 0.0) -> None:
        super().__init__()
        self.conv = StdConv2d(inp, out, 3, padding=1, bias=False)
        self.norm = NORMS[norm](out)
        self.drop_path = DropPath(drop_path) if drop_path > 0 else nn.Identity()

    def forward(self, x):
        return self.drop_path(self.norm(self.conv(x)))


class Net(nn.Module):
    def __init__(self, norm: str = "bn", classes: int = 2) -> None:
        super().__init__()
        self.blocks = nn.Sequential(ConvBlock(1, 4, norm), ConvBlock(4, 4, norm, drop_path=0.1))
        self.pool = SelectAdaptivePool2d(pool_type="avg", flatten=True)
        self.fc = nn.Linear(4, classes)

    def forward(self, x):
        return self.fc(self.pool(self.blocks(x)))


def main() -> None:
    torch.manual_seed(0)
    net = Net(norm="bn")
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loss = F.cross_entropy(net(torch.randn(3, 1, 6, 6)), torch.tensor([0, 1, 1]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


if __name__ == "__main__":
    main()
