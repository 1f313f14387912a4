import torch.nn.functional as F
from torch import nn


class Unit(nn.Module):
    def __init__(self, inputs, outputs, width=3, step=1):
        super().__init__()
        around = (width - 1) // 2
        convolution = nn.Conv2d(inputs, outputs, width, stride=step, padding=around)
        if outputs > 1:
            self.layers = nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))
        else:
            self.layers = nn.Sequential(convolution, nn.ReLU(inplace=True))

    def forward(self, x):
        outputs = self.layers(x)
        return outputs


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        half = max(width // 2, 1)
        self.narrow = Unit(width, half, 1)
        self.middle = Unit(half, half)
        self.wide = nn.Conv2d(half, width, 1)

    def forward(self, x):
        kept = x
        x = self.narrow(x)
        x = self.middle(x)
        x = self.wide(x)
        x = x + kept
        return F.relu(x)


class Stage(nn.Module):
    def __init__(self, inputs, outputs, count):
        super().__init__()
        layers = [Unit(inputs, outputs)]
        for _ in range(count):
            layers.append(Residual(outputs))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)
