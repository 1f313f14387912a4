"""A squeeze-and-excite block scales its input in place by a gate from a plain mean, which keeps nothing of that input."""

from functools import partial

import torch
from torch import nn
from torchvision.ops import Conv2dNormActivation, StochasticDepth


class InplaceSE(nn.Module):
    def __init__(self, channels: int, reduction: int = 2) -> None:
        super().__init__()
        self.fc1 = nn.Conv2d(channels, channels // reduction, 1)
        self.fc2 = nn.Conv2d(channels // reduction, channels, 1)

    def _scale(self, x):
        scale = x.mean(dim=(2, 3), keepdim=True)
        return torch.sigmoid_(self.fc2(torch.relu_(self.fc1(scale))))

    def forward(self, x):
        return x.mul_(self._scale(x))


class MBConv(nn.Module):
    def __init__(self, channels: int, expand: int, drop_path: float, norm_layer) -> None:
        super().__init__()
        hidden = channels * expand
        conv = partial(Conv2dNormActivation, norm_layer=norm_layer, activation_layer=nn.SiLU, inplace=True)
        self.block = nn.Sequential(
            conv(channels, hidden, kernel_size=1),
            conv(hidden, hidden, kernel_size=3, groups=hidden),
            InplaceSE(hidden),
            Conv2dNormActivation(hidden, channels, kernel_size=1, norm_layer=norm_layer, activation_layer=None),
        )
        self.stochastic_depth = StochasticDepth(drop_path, mode="row")

    def forward(self, x):
        result = self.stochastic_depth(self.block(x))
        result += x
        return result


class TinyEfficientNet(nn.Module):
    def __init__(self, widths=(4, 4), classes: int = 3) -> None:
        super().__init__()
        norm_layer = partial(nn.BatchNorm2d, eps=1e-3, momentum=0.01)
        self.stem = nn.Conv2d(3, widths[0], 3, stride=2, padding=1)
        self.blocks = nn.Sequential(*(MBConv(w, 2, 0.1 * i, norm_layer) for i, w in enumerate(widths)))
        self.classifier = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.2, inplace=True), nn.Linear(4, classes)
        )

    def forward(self, x):
        return self.classifier(self.blocks(self.stem(x)))


if __name__ == "__main__":
    torch.manual_seed(0)
    model = TinyEfficientNet()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    for _ in range(2):
        loss = criterion(model(torch.randn(2, 3, 8, 8)), torch.tensor([0, 2]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
