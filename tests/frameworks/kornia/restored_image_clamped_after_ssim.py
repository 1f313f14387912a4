"""The structural similarity loss keeps the restored image, which is then clamped in place for logging before
backward."""

import kornia
import torch
from kornia.losses import psnr_loss, ssim_loss
from torch import nn


class Restorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 6, 3, padding=1),
            nn.LeakyReLU(0.1, inplace=True),
            nn.Conv2d(6, 3, 3, padding=1),
        )

    def forward(self, x):
        return self.body(x) + x


torch.manual_seed(0)
model = Restorer()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
history = []
for _ in range(2):
    sharp = torch.rand(1, 3, 8, 8)
    blurred = kornia.filters.gaussian_blur2d(sharp, (3, 3), (1.0, 1.0))
    restored = model(blurred)
    loss = ssim_loss(restored, sharp, window_size=3)
    with torch.no_grad():
        history.append(-psnr_loss(restored.clamp_(0.0, 1.0), sharp, max_val=1.0).item())  # error: IP101
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
