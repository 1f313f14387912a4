"""Residuals of zero-initialised convolutions are scaled in place, and a convolution keeps its input, not its result."""

from functools import reduce

import torch
import torch.nn.functional as F
from diffusers import FlowMatchEulerDiscreteScheduler
from diffusers.training_utils import compute_density_for_timestep_sampling
from torch import nn


def zero_module(module: nn.Module) -> nn.Module:
    for param in module.parameters():
        nn.init.zeros_(param)
    return module


class ControlBranch(nn.Module):
    def __init__(self, channels: tuple[int, ...]) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.SiLU()) for a, b in zip((1, *channels), channels)
        )
        self.zero_convs = nn.ModuleList(zero_module(nn.Conv2d(c, channels[-1], 1)) for c in channels)

    def forward(self, hint, conditioning_scale: float = 1.0):
        residuals = []
        for block, zero_conv in zip(self.blocks, self.zero_convs):
            hint = block(hint)
            residuals.append(zero_conv(hint))
        for residual, scale in zip(residuals, torch.logspace(-1, 0, len(residuals))):
            residual *= scale * conditioning_scale
        return residuals


class Denoiser(nn.Module):
    def __init__(self, channels=(4, 6)) -> None:
        super().__init__()
        self.control = ControlBranch(channels)
        self.inp = nn.Conv2d(1, channels[-1], 3, padding=1)
        self.out = nn.Conv2d(channels[-1], 1, 3, padding=1)

    def forward(self, noisy, hint):
        hidden = reduce(torch.Tensor.add_, self.control(hint, conditioning_scale=0.8), self.inp(noisy))
        return self.out(F.silu(hidden))


def main() -> None:
    torch.manual_seed(0)
    scheduler = FlowMatchEulerDiscreteScheduler(num_train_timesteps=50)
    model = Denoiser()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(2):
        latents = torch.randn(2, 1, 6, 6)
        noise = torch.randn_like(latents)
        u = compute_density_for_timestep_sampling("logit_normal", batch_size=2, logit_mean=0.0, logit_std=1.0)
        sigmas = scheduler.sigmas[(u * 50).long()].view(-1, 1, 1, 1)
        noisy = (1.0 - sigmas) * latents + sigmas * noise
        prediction = model(noisy, hint=latents.sign())
        loss = (prediction - (noise - latents)).pow_(2).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
