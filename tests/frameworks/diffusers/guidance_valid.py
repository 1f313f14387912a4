"""Guided sampling takes the gradient and moves a detached copy of the latents in place, which no graph needs any more."""

import torch
from diffusers import DDIMScheduler
from torch import nn

denoiser = nn.Conv2d(1, 1, 3, padding=1).requires_grad_(False)
classifier = nn.Sequential(nn.Flatten(), nn.Linear(16, 2)).requires_grad_(False)
scheduler = DDIMScheduler(num_train_timesteps=10)
scheduler.set_timesteps(3)

latents = torch.randn(1, 1, 4, 4)
for t in scheduler.timesteps:
    latents = latents.detach().requires_grad_()
    noise_pred = denoiser(latents)
    original = scheduler.step(noise_pred, t, latents).pred_original_sample
    score = classifier(original).log_softmax(-1)[:, 1].sum()
    grad = torch.autograd.grad(score, latents)[0]
    latents = latents.detach()
    latents += 0.1 * grad
    latents = scheduler.step(denoiser(latents), t, latents).prev_sample
