from torch import nn


class Convolution(nn.Module):
    def __init__(self, channels, dimensions, normalization=None, activation=None):
        super().__init__()
        parts = [getattr(nn, f"Conv{dimensions}d")(channels, channels, 3, padding=1)]
        if normalization is not None:
            parts.append(getattr(nn, f"{normalization.capitalize()}Norm{dimensions}d")(channels))
        if activation is not None:
            parts.append(getattr(nn, activation)())
        self.parts = nn.Sequential(*parts)

    def forward(self, x):
        return self.parts(x)
