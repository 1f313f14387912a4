"""A GAN steps its discriminator before the generator walks through it."""

import torch
from torch import nn

G = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2))
D = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 1), nn.Sigmoid())
og = torch.optim.Adam(G.parameters())
od = torch.optim.Adam(D.parameters())
bce = nn.BCELoss()
for i in range(2):
    real = torch.randn(4, 2)
    fake = G(torch.randn(4, 2))
    od.zero_grad()
    d_loss = bce(D(real), torch.ones(4, 1)) + bce(D(fake.detach()), torch.zeros(4, 1))
    d_loss.backward()
    g_loss = bce(D(fake), torch.ones(4, 1))
    od.step()  # error: IP102
    og.zero_grad()
    g_loss.backward()
    og.step()
