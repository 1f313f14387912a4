"""The label tensor is refilled for the fakes while the real loss, not walked yet, has kept it."""

import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

fabric = Fabric(accelerator="cpu", devices=1)
fabric.launch()

nz = 4
netG = nn.Sequential(nn.Linear(nz, 8), nn.ReLU(True), nn.Linear(8, 6), nn.Tanh())
netD = nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 1), nn.Sigmoid())
netG, optimizerG = fabric.setup(netG, torch.optim.Adam(netG.parameters(), lr=2e-4))
netD, optimizerD = fabric.setup(netD, torch.optim.Adam(netD.parameters(), lr=2e-4))
dataloader = fabric.setup_dataloaders(DataLoader(TensorDataset(torch.randn(8, 6)), batch_size=4))
criterion = nn.BCELoss()

for (real,) in dataloader:
    optimizerD.zero_grad()
    label = torch.full((real.size(0),), 1.0, dtype=torch.float, device=fabric.device)
    errD_real = criterion(netD(real).view(-1), label)
    fake = netG(torch.randn(real.size(0), nz, device=fabric.device))
    label.fill_(0.0)  # error: IP101
    errD_fake = criterion(netD(fake.detach()).view(-1), label)
    errD = errD_real + errD_fake
    fabric.backward(errD)
    optimizerD.step()

    optimizerG.zero_grad()
    label.fill_(1.0)
    errG = criterion(netD(fake).view(-1), label)
    fabric.backward(errG)
    optimizerG.step()
