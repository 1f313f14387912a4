"""Each loss gets its own labels."""

import torch
import torch.nn as nn

netD = nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.2, True), nn.Linear(8, 1), nn.Sigmoid())
optD = torch.optim.Adam(netD.parameters(), lr=1e-4)
criterion = nn.BCELoss()
b_size = 4
for i in range(2):
    real, fake = torch.randn(b_size, 6), torch.randn(b_size, 6)
    label = torch.full((b_size,), 1.0)
    errD_real = criterion(netD(real).view(-1), label)
    fake_label = torch.zeros_like(label)
    errD_fake = criterion(netD(fake).view(-1), fake_label)
    errD = errD_real + errD_fake
    optD.zero_grad()
    errD.backward()
    optD.step()
