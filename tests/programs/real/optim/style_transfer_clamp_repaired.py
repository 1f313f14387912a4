"""Clamped under no_grad."""

import torch

img = torch.rand(1, 3, 4, 4).requires_grad_()
opt = torch.optim.Adam([img], lr=0.05)
target = torch.rand(1, 3, 4, 4)
for step in range(2):
    loss = torch.nn.functional.mse_loss(img, target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        img.clamp_(0, 1)
