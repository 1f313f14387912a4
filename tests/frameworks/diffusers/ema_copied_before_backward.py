"""`copy_to` puts the averaged weights into the model through `.data` while a loss still waits for backward, so torch says nothing and the gradients are wrong."""

import torch
import torch.nn.functional as F
from diffusers import DDPMScheduler
from diffusers.training_utils import EMAModel
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.time = nn.Embedding(10, channels)
        self.first = nn.Conv2d(1, channels, 3, padding=1)
        self.last = nn.Conv2d(channels, 1, 3, padding=1)

    def forward(self, sample, timestep):
        hidden = self.first(sample) + self.time(timestep)[:, :, None, None]
        return self.last(F.silu(hidden))


model = Denoiser()
ema = EMAModel(model.parameters(), decay=0.99)
scheduler = DDPMScheduler(num_train_timesteps=10)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

for step in range(3):
    clean = torch.rand(2, 1, 4, 4)
    noise = torch.randn_like(clean)
    timesteps = torch.randint(0, 10, (2,))
    noisy = scheduler.add_noise(clean, noise, timesteps)
    loss = F.mse_loss(model(noisy, timesteps), noise)
    if step == 2:
        ema.copy_to(model.parameters())  # error: IP301
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ema.step(model.parameters())
