import torch
from torch import nn


def start_weights(layer):
    name = layer.__class__.__name__
    if name.find("Conv") != -1:
        nn.init.normal_(layer.weight, 0.0, 0.02)
    elif name.find("BatchNorm") != -1:
        nn.init.normal_(layer.weight, 1.0, 0.02)


class Generator(nn.Module):
    def __init__(self, noise, width):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(noise, width, 4), nn.BatchNorm2d(width), nn.ReLU(True), nn.Conv2d(width, 3, 1), nn.Tanh()
        )

    def forward(self, z):
        return self.main(z)


class Critic(nn.Module):
    def __init__(self, width, kind):
        super().__init__()
        layers = [nn.Conv2d(3, width, 1)]
        if kind == "spectral":
            layers = [nn.utils.spectral_norm(layer) for layer in layers]
        layers += [nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(width, 1, 4)]
        self.main = nn.Sequential(*layers)

    def forward(self, x):
        return self.main(x).view(-1)
