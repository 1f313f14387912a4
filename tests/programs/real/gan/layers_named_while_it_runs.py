# A discriminator on several scales, whose layers are set under names that are made while it runs.
import os

import torch
from torch import nn, optim
from torch.nn import functional as F


class Scale(nn.Module):
    def __init__(self, depth):
        super().__init__()
        layers = [nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.LeakyReLU(0.2, True))]
        for _ in range(1, depth):
            layers.append(nn.Sequential(nn.Conv2d(4, 4, 3, padding=1), nn.LeakyReLU(0.2, True)))
        layers.append(nn.Sequential(nn.Conv2d(4, 1, 3, padding=1)))
        for number in range(len(layers)):
            setattr(self, f"layer{number}", layers[number])


class Scales(nn.Module):
    def __init__(self, scales, depth):
        super().__init__()
        self.scales, self.depth = scales, depth
        for scale in range(scales):
            judge = Scale(depth)
            for number in range(depth + 1):
                setattr(self, f"scale{scale}_layer{number}", getattr(judge, f"layer{number}"))

    def forward(self, image):
        judged = []
        for scale in range(self.scales):
            found = image
            for layer in [getattr(self, f"scale{scale}_layer{number}") for number in range(self.depth + 1)]:
                found = layer(found)
            judged.append(found)
            image = F.avg_pool2d(image, 2)
        return judged


def main():
    scales, depth = (int(count) for count in os.environ.get("SCALES_AND_DEPTH", "2,2").split(","))
    discriminator = Scales(scales, depth)
    generator = nn.Conv2d(3, 3, 3, padding=1)
    optimizer_d = optim.Adam(discriminator.parameters(), lr=1e-3)
    optimizer_g = optim.Adam(generator.parameters(), lr=1e-3)
    for _ in range(2):
        real = torch.rand(2, 3, 8, 8)
        fake = generator(torch.rand(2, 3, 8, 8))
        loss_d = sum(F.softplus(judged).mean() for judged in discriminator(fake.detach()))
        loss_d = loss_d + sum(F.softplus(-judged).mean() for judged in discriminator(real))
        loss_g = sum(F.softplus(-judged).mean() for judged in discriminator(fake))
        optimizer_d.zero_grad()
        loss_d.backward()
        optimizer_d.step()  # error: IP102
        optimizer_g.zero_grad()
        loss_g.backward()
        optimizer_g.step()


main()
