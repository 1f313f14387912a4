"""What stands behind the backbone."""

from torch import nn
from torch.nn import functional as F


def find_activation(name):
    if name == "relu":
        return F.relu
    if name == "gelu":
        return F.gelu
    raise ValueError(name)


class Mixer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.drop = nn.Dropout(0.2)
        self.activation = find_activation("relu")

    def forward(self, x):
        return x + self.down(self.drop(self.activation(self.up(x))))  # error: IP101


class PlainMixer(Mixer):
    def forward(self, x):
        return x + self.down(self.drop(self.activation(self.up(x)).clone()))
