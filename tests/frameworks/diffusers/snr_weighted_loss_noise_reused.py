"""The noise buffer is refilled in place for the next batch before backward, though the squared error has kept it as its target."""

import torch
import torch.nn.functional as F
from diffusers import DDPMScheduler
from diffusers.training_utils import compute_snr
from torch import nn

model = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.SiLU(), nn.Conv2d(4, 1, 3, padding=1))
scheduler = DDPMScheduler(num_train_timesteps=10)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
noise = torch.randn(2, 1, 4, 4)

for _ in range(2):
    latents = torch.randn(2, 1, 4, 4)
    timesteps = torch.randint(0, 10, (2,))
    noisy = scheduler.add_noise(latents, noise, timesteps)
    snr = compute_snr(scheduler, timesteps)
    weights = torch.stack([snr, 5.0 * torch.ones_like(timesteps)], dim=1).min(dim=1)[0] / snr

    loss = F.mse_loss(model(noisy).float(), noise.float(), reduction="none")
    loss = (loss.mean(dim=(1, 2, 3)) * weights).mean()
    noise.normal_()  # error: IP101
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
