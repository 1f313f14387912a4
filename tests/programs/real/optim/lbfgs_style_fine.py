"""Style transfer: LBFGS over an image that is clamped in its closure through no_grad."""

import torch
import torch.nn as nn

features = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(inplace=True), nn.AvgPool2d(2))
for p in features.parameters():
    p.requires_grad_(False)
content = torch.rand(1, 3, 8, 8)
target = features(content).detach()
input_img = torch.rand(1, 3, 8, 8)
input_img.requires_grad_(True)
optimizer = torch.optim.LBFGS([input_img], max_iter=3)
run = [0]
while run[0] <= 5:

    def closure():
        with torch.no_grad():
            input_img.clamp_(0, 1)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(features(input_img), target)
        loss.backward()
        run[0] += 1
        return loss

    optimizer.step(closure)
with torch.no_grad():
    input_img.clamp_(0, 1)
