from blocks import Stage, Unit
from torch import nn


class Segmenter(nn.Module):
    """Dropout in place behind a ReLU, which keeps its result, and behind a convolution, which does not."""

    def __init__(self, classes=2, depth=(3, 4, 6, 3)):
        super().__init__()
        width = 4
        stages = []
        for count in depth:
            stages.append(Stage(width, width, count))
        self.start = Unit(3, width)
        self.first, self.second, self.third, self.fourth = stages
        self.aside = nn.Conv2d(width, width, 1)
        self.end = Unit(width, width)
        self.drop = nn.Dropout2d(p=0.1, inplace=True)
        self.classify = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        x = self.start(x)
        x = self.first(x)
        x = self.second(x)
        x = self.third(x)
        aside = self.aside(x)
        aside = self.drop(aside)
        x = self.fourth(x)
        x = self.end(x)
        x = self.drop(x)  # error: IP101
        return self.classify(x), aside


class Critic(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        layers = [nn.Flatten(), nn.Linear(48, 8)]
        for _ in range(depth):
            layers += [nn.LeakyReLU(0.2), nn.Linear(8, 8)]
        layers += [nn.Linear(8, 1)]
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


class Painter(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        layers = [nn.Linear(6, 8)]
        for _ in range(depth):
            layers += [nn.ReLU(), nn.Linear(8, 8)]
        layers += [nn.ReLU(), nn.Linear(8, 48), nn.Tanh()]
        self.layers = nn.Sequential(*layers)

    def forward(self, noise):
        return self.layers(noise).view(-1, 3, 4, 4)
