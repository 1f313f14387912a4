"""The level's weight is put on its loss instead of its pixels; the target's pyramid, made of data, may be
written in place."""

import torch
from kornia.geometry.transform import build_pyramid
from torch import nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.Tanh(), nn.Conv2d(4, 1, 3, padding=1), nn.Sigmoid())
optimizer = torch.optim.Adam(generator.parameters(), lr=2e-3)

for _ in range(2):
    target = torch.rand(2, 1, 8, 8)
    fake = generator(torch.randn(2, 1, 8, 8))
    loss = torch.zeros(())
    for level, (a, b) in enumerate(zip(build_pyramid(fake, 2), build_pyramid(target, 2))):
        b.clamp_(min=0.05)
        loss += 0.5**level * nn.functional.l1_loss(a, b)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
