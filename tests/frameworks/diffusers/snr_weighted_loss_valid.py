"""The noise buffer is refilled in place once backward is over, and the weights are written before they meet the loss."""

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
    weights = snr.clone()
    weights[snr == 0] = 1.0
    weights.clamp_(max=5.0).div_(snr)

    loss = F.mse_loss(model(noisy).float(), noise.float(), reduction="none")
    loss = loss.mean(dim=list(range(1, loss.dim())))
    loss *= weights
    loss = loss.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    noise.normal_()
