"""A GAN that scores the fake again after the critic's step."""

import torch
from torch import nn

generator = nn.Linear(2, 4)
critic = nn.Sequential(nn.Linear(4, 4), nn.LeakyReLU(0.2, inplace=True), nn.Linear(4, 1))
opt_g = torch.optim.Adam(generator.parameters())
opt_d = torch.optim.Adam(critic.parameters())
for _ in range(2):
    fake = generator(torch.rand(3, 2))
    loss_d = critic(torch.rand(3, 4)).mean() - critic(fake.detach()).mean()
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    loss_g = critic(fake).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
