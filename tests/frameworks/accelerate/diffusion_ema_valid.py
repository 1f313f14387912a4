"""A diffusion loop moves the averaged weights after the prepared optimizer's step and swaps them in only to sample."""

import copy

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Denoiser(nn.Module):
    def __init__(self, dim=4, steps=10):
        super().__init__()
        self.time = nn.Embedding(steps, 8)
        self.inp, self.mid, self.out = nn.Linear(dim, 8), nn.Linear(8, 8), nn.Linear(8, dim)

    def forward(self, x, t):
        h = self.inp(x)
        h += self.time(t)
        h = F.silu(h)
        return self.out(F.silu(self.mid(h)) + h)


accelerator = Accelerator(gradient_accumulation_steps=1)
model = Denoiser()
ema_model = copy.deepcopy(model).eval().requires_grad_(False)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loader = DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=4)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
alphas_cumprod = torch.linspace(1 - 1e-4, 0.02, 10, device=accelerator.device)

for epoch in range(2):
    for (clean,) in loader:
        noise = torch.randn_like(clean)
        timesteps = torch.randint(0, 10, (clean.shape[0],), device=clean.device)
        a = alphas_cumprod[timesteps].unsqueeze(1)
        noisy = a.sqrt() * clean + (1 - a).sqrt() * noise
        with accelerator.accumulate(model), accelerator.autocast():
            loss = F.mse_loss(model(noisy, timesteps), noise, reduction="none")
            loss *= 1.0 / a
            loss = loss.mean()
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        if accelerator.sync_gradients:
            with torch.no_grad():
                for e, p in zip(ema_model.parameters(), accelerator.unwrap_model(model).parameters()):
                    e.lerp_(p, 0.01)
    with torch.inference_mode():
        sample = torch.randn(2, 4, device=accelerator.device)
        for t in reversed(range(10)):
            sample.sub_(0.1 * ema_model(sample, torch.full((2,), t, device=sample.device)))
