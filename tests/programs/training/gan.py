"""A GAN that steps the critic before the generator's loss is walked."""

import torch
from torch import nn

generator = nn.Linear(2, 4)
critic = nn.Sequential(nn.Linear(4, 4), nn.LeakyReLU(0.2, inplace=True), nn.Linear(4, 1))
opt_g = torch.optim.Adam(generator.parameters())
opt_d = torch.optim.Adam(critic.parameters())
for _ in range(1):
    fake = generator(torch.rand(3, 2))
    real = torch.rand(3, 4)
    score_fake = critic(fake)
    loss_d = critic(real).mean() - score_fake.mean()
    loss_g = score_fake.mean()
    opt_d.zero_grad()
    loss_d.backward(retain_graph=True)
    opt_d.step()  # error: IP102
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
