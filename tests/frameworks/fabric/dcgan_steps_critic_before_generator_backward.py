"""The fakes are scored once for both losses and the critic steps before fabric walks the generator's, which needs the old weights."""

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
        label = torch.ones(real.size(0), device=fabric.device)
        noise = torch.randn(real.size(0), nz, device=fabric.device)
        fake = netG(noise)
        output_real = netD(real).view(-1)
        output_fake = netD(fake).view(-1)

        errD = criterion(output_real, label) + criterion(output_fake, torch.zeros_like(label))
        errG = criterion(output_fake, label)

        optimizerD.zero_grad()
        fabric.backward(errD, retain_graph=True)
        optimizerD.step()  # error: IP102

        optimizerG.zero_grad()
        fabric.backward(errG)
        optimizerG.step()
        fabric.print(f"[{epoch}][{i}] loss_D: {errD.item():.4f} loss_G: {errG.item():.4f}")
