"""A network of strided convolutions with leaky units, which keep their input out of place."""

from torch import nn

SHAPE = (16, 3, 96, 96)


class Net(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(width, width, 3, padding=1),
            nn.BatchNorm2d(width),
            nn.LeakyReLU(0.2),
            nn.Conv2d(width, 2 * width, 4, stride=2, padding=1),
            nn.BatchNorm2d(2 * width),
            nn.LeakyReLU(0.2),
            nn.Conv2d(2 * width, 1, 4),
        )

    def forward(self, x):
        return self.net(x)
