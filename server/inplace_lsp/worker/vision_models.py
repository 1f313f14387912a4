"""The networks of torchvision that programs use most, where it is not installed: of the same layers, in the same order
and under the same names, with random weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import torch
from torch import nn

_VGG = {
    11: "64 M 128 M 256 256 M 512 512 M 512 512 M",
    13: "64 64 M 128 128 M 256 256 M 512 512 M 512 512 M",
    16: "64 64 M 128 128 M 256 256 256 M 512 512 512 M 512 512 512 M",
    19: "64 64 M 128 128 M 256 256 256 256 M 512 512 512 512 M 512 512 512 512 M",
}
_RESNET = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}


class VGG(nn.Module):  # type: ignore[misc]
    """A VGG with a number of layers that torchvision has: 11, 13, 16 or 19."""

    def __init__(self, layers: int, *, norm: bool, num_classes: int = 1000) -> None:
        super().__init__()
        self.features = nn.Sequential(*_vgg_features(layers, norm=norm))
        self.avgpool = nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(
            nn.Linear(512 * 49, 4096),
            nn.ReLU(inplace=True),
            nn.Dropout(0.5),
            nn.Linear(4096, 4096),
            nn.ReLU(inplace=True),
            nn.Dropout(0.5),
            nn.Linear(4096, num_classes),
        )

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return scores of classes."""
        return self.classifier(torch.flatten(self.avgpool(self.features(images)), 1))


def _vgg_features(layers: int, *, norm: bool) -> Iterator[nn.Module]:
    channels = 3
    for word in _VGG[layers].split():
        if word == "M":
            yield nn.MaxPool2d(2, 2)
            continue
        yield nn.Conv2d(channels, int(word), 3, padding=1)
        channels = int(word)
        if norm:
            yield nn.BatchNorm2d(channels)
        yield nn.ReLU(inplace=True)


class Block(nn.Module):  # type: ignore[misc]
    """A block of a ResNet: two convolutions, or three of which the last widens."""

    def __init__(self, inputs: int, width: int, stride: int, *, widens: bool) -> None:
        super().__init__()
        outputs = width * 4 if widens else width
        self.conv1 = nn.Conv2d(inputs, width, 1, bias=False) if widens else _convolve(inputs, width, stride)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = _convolve(width, width, stride if widens else 1)
        self.bn2 = nn.BatchNorm2d(width)
        if widens:
            self.conv3 = nn.Conv2d(width, outputs, 1, bias=False)
            self.bn3 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))
        self._widens = widens

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return what the convolutions give, added to the images."""
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(images)))))
        if self._widens:
            out = self.bn3(self.conv3(self.relu(out)))
        out += images if self.downsample is None else self.downsample(images)
        return self.relu(out)


def _convolve(inputs: int, outputs: int, stride: int) -> nn.Module:
    return nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)


class ResNet(nn.Module):  # type: ignore[misc]
    """A ResNet with a number of layers that torchvision has: 18, 34, 50, 101 or 152."""

    def __init__(self, layers: int, num_classes: int = 1000) -> None:
        super().__init__()
        widens = layers >= 50
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        channels = 64
        for at, count in enumerate(_RESNET[layers]):
            blocks = []
            for number in range(count):
                blocks.append(Block(channels, 64 << at, 2 if at and not number else 1, widens=widens))
                channels = (64 << at) * (4 if widens else 1)
            setattr(self, f"layer{at + 1}", nn.Sequential(*blocks))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(channels, num_classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return scores of classes."""
        out = self.maxpool(self.relu(self.bn1(self.conv1(images))))
        out = self.layer4(self.layer3(self.layer2(self.layer1(out))))
        return self.fc(torch.flatten(self.avgpool(out), 1))


def _without_weights(make: Callable[..., nn.Module]) -> Callable[..., nn.Module]:
    """Return a function that makes a network as torchvision's does, but for its weights."""

    def made(_pretrained: object = None, *_rest: object, num_classes: int = 1000, **_how: object) -> nn.Module:
        return make(num_classes=num_classes)

    return made


_MODELS: Mapping[str, Callable[..., nn.Module]] = {
    **{f"vgg{layers}": partial(VGG, layers, norm=False) for layers in _VGG},
    **{f"vgg{layers}_bn": partial(VGG, layers, norm=True) for layers in _VGG},
    **{f"resnet{layers}": partial(ResNet, layers) for layers in _RESNET},
}
KNOWN: Mapping[str, object] = {
    f"torchvision.models.{module}{name}": _without_weights(make)
    for name, make in _MODELS.items()
    for module in ("", "vgg." if name.startswith("vgg") else "resnet.")
}
"""Members of modules that may be missing, by their full names."""
