"""The closure clamps the image after the forward pass, before it walks back."""

import torch
from torch import nn

feat = nn.Conv2d(3, 4, 3, padding=1).requires_grad_(False)
target = torch.rand(1, 4, 6, 6)
image = torch.rand(1, 3, 6, 6, requires_grad=True)
optimizer = torch.optim.LBFGS([image], max_iter=3)


def closure():
    optimizer.zero_grad()
    loss = (feat(image).sigmoid() - target).square().sum() + image.square().sum()
    with torch.no_grad():
        image.clamp_(0, 1)  # error: IP101
    loss.backward()
    return loss


for _ in range(2):
    optimizer.step(closure)
