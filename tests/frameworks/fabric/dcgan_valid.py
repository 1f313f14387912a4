"""The critic sees detached fakes and the generator is scored again after the critic's step, so fabric walks only fresh graphs."""

import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

fabric = Fabric(accelerator="cpu", devices=1)
fabric.launch()
fabric.seed_everything(42, verbose=False)

nz, batch_size = 4, 4
netG = nn.Sequential(nn.Linear(nz, 8), nn.BatchNorm1d(8), nn.ReLU(True), nn.Linear(8, 6), nn.Tanh())
netD = nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 1), nn.Sigmoid())
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
netG, optimizerG = fabric.setup(netG, optimizerG)
netD, optimizerD = fabric.setup(netD, optimizerD)
dataloader = fabric.setup_dataloaders(DataLoader(TensorDataset(torch.randn(8, 6)), batch_size=batch_size))
criterion = nn.BCELoss()

for epoch in range(1):
    for i, (real,) in enumerate(dataloader):
        netD.zero_grad()
        label = torch.full((real.size(0),), 1.0, dtype=torch.float, device=fabric.device)
        errD_real = criterion(netD(real).view(-1), label)
        fabric.backward(errD_real)

        noise = torch.randn(real.size(0), nz, device=fabric.device)
        fake = netG(noise)
        label.fill_(0.0)
        errD_fake = criterion(netD(fake.detach()).view(-1), label)
        fabric.backward(errD_fake)
        errD = errD_real + errD_fake
        optimizerD.step()

        netG.zero_grad()
        label.fill_(1.0)
        errG = criterion(netD(fake).view(-1), label)
        fabric.backward(errG)
        optimizerG.step()
        fabric.print(f"[{epoch}][{i}] loss_D: {errD.item():.4f} loss_G: {errG.item():.4f}")
