"""A schedule in buffers, noised batches written in place where nothing is kept, EMA weights by lerp."""

import torch
import torch.nn as nn


class Diffusion(nn.Module):
    def __init__(self, steps=10):
        super().__init__()
        betas = torch.linspace(1e-4, 0.02, steps)
        alphas_bar = torch.cumprod(1 - betas, dim=0)
        alphas_bar[0] = 1.0
        self.register_buffer("sqrt_ab", alphas_bar.sqrt())
        self.register_buffer("sqrt_1mab", (1 - alphas_bar).sqrt())
        self.net = nn.Sequential(nn.Linear(4, 16), nn.SiLU(), nn.Linear(16, 3))

    def q_sample(self, x0, t, noise):
        return self.sqrt_ab[t].unsqueeze(1) * x0 + self.sqrt_1mab[t].unsqueeze(1) * noise

    def loss(self, x0):
        t = torch.randint(0, 10, (x0.size(0),))
        noise = torch.randn_like(x0)
        x_t = self.q_sample(x0, t, noise)
        x_t.clamp_(-3, 3)
        drop = torch.rand(x0.size(0)) < 0.1
        x_t[drop] = 0
        pred = self.net(torch.cat([x_t, t.float().unsqueeze(1) / 10], dim=1))
        return (pred - noise).square().mean()


model, shadow = Diffusion(), Diffusion()
opt = torch.optim.AdamW(model.parameters())
for _ in range(2):
    loss = model.loss(torch.randn(5, 3))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for s, p in zip(shadow.parameters(), model.parameters()):
            s.lerp_(p, 0.01)
