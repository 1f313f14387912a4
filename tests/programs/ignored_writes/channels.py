"""The output of a generator, normalised channel by channel through .data before the loss."""

import torch
from torch import nn

MEAN, STD = [0.5, 0.4, 0.3], [0.2, 0.3, 0.25]


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 3, 3, padding=1), nn.Tanh())

    def forward(self, image):
        return self.body(image)


def normalize_and_scale(delta):
    delta = delta + 1
    delta = delta * 0.5
    for channel in range(3):
        delta[:, channel, :, :] = (delta[:, channel, :, :].clone() - MEAN[channel]) / STD[channel]
    for i in range(2):
        for channel in range(3):
            norm = delta[i, channel].detach().abs().max()
            delta[i, channel].data *= min(1.0, 0.1 / norm)  # error: IP301
    return delta


def normalize_out_of_place(delta):
    scale = (0.1 / delta.detach().abs().amax((2, 3), keepdim=True)).clamp(max=1.0)
    return delta * scale


generator, judge = Generator(), nn.Conv2d(3, 1, 3)
optimizer = torch.optim.Adam(generator.parameters())
for _ in range(2):
    image = torch.rand(2, 3, 4, 4)
    for normalize in (normalize_and_scale, normalize_out_of_place):
        optimizer.zero_grad()
        loss = -judge(image + normalize(generator(image))).mean()
        loss.backward()
        optimizer.step()
