"""DCGAN style training: the discriminator steps between the two losses that share its score."""

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


class Generator(nn.Module):
    def __init__(self, nz=8, ngf=16):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.Linear(nz, ngf),
            nn.BatchNorm1d(ngf),
            nn.ReLU(True),
            nn.Linear(ngf, 12),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, ndf=16):
        super(Discriminator, self).__init__()
        self.main = nn.Sequential(
            nn.Linear(12, ndf),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(ndf, 1),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.main(x).view(-1)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
netG = Generator().to(device)
netD = Discriminator().to(device)
criterion = nn.BCELoss()
optimizerD = optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
loader = DataLoader(TensorDataset(torch.randn(8, 12)), batch_size=4, drop_last=True)

for epoch in range(2):
    for i, (real,) in enumerate(loader):
        real = real.to(device)
        ones = torch.ones(real.size(0), device=device)
        zeros = torch.zeros(real.size(0), device=device)
        noise = torch.randn(real.size(0), 8, device=device)
        fake = netG(noise)
        output = netD(fake)
        lossD = criterion(netD(real), ones) + criterion(output, zeros)
        lossG = criterion(output, ones)

        optimizerD.zero_grad()
        lossD.backward(retain_graph=True)
        optimizerD.step()  # error: IP102

        optimizerG.zero_grad()
        lossG.backward()
        optimizerG.step()
