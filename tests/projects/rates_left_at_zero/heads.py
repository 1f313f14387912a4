"""Heads of networks, made by others. Their rate of dropout is 0 unless somebody gives another."""

from torch import nn


class Classifier(nn.Module):
    def __init__(self, width, classes, dropout=0.0):
        super().__init__()
        self.main = nn.Sequential(
            nn.Linear(width, 8),
            nn.ReLU(),
            nn.Dropout(dropout, inplace=True),
            nn.Linear(8, classes),
        )

    def forward(self, x):
        return self.main(x)  # error: IP101


class Gate(nn.Module):
    def __init__(self, width, drop=0):
        super().__init__()
        self.score = nn.Linear(width, width)
        self.act = nn.Sigmoid()
        self.drop = nn.Dropout(p=drop, inplace=True)

    def forward(self, x):
        gate = self.act(self.score(x))
        return x * self.drop(gate)  # error: IP101


class Deep(nn.Module):
    def __init__(self, widths, rate=0.0):
        super().__init__()
        layers = []
        for before, after in zip(widths, widths[1:]):
            layers += [nn.Linear(before, after), nn.Tanh(), nn.Dropout(rate, inplace=True)]
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)  # error: IP101


class Plain(nn.Module):
    """What drops comes straight after what saves nothing of its result."""

    def __init__(self, width, classes, dropout=0.0):
        super().__init__()
        self.first, self.act, self.last = nn.Linear(width, 8), nn.ReLU(), nn.Linear(8, classes)
        self.drop = nn.Dropout(dropout, inplace=True)

    def forward(self, x):
        return self.last(self.act(self.drop(self.first(x))))
