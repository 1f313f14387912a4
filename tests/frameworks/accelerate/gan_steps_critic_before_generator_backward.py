"""The critic's prepared optimizer steps before accelerate walks the generator's loss, which still needs the critic's old weights."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def hinge_d(real, fake):
    return F.relu(1 - real).mean() + F.relu(1 + fake).mean()


def main():
    accelerator = Accelerator()
    generator = nn.Sequential(nn.Linear(3, 8), nn.SiLU(), nn.Linear(8, 4))
    discriminator = nn.Sequential(nn.Linear(4, 8), nn.SiLU(), nn.Linear(8, 1))
    optimizer_g = torch.optim.Adam(generator.parameters(), lr=1e-4, betas=(0.0, 0.99))
    optimizer_d = torch.optim.Adam(discriminator.parameters(), lr=4e-4, betas=(0.0, 0.99))
    dataloader = DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=4, shuffle=True)
    generator, discriminator, optimizer_g, optimizer_d, dataloader = accelerator.prepare(
        generator, discriminator, optimizer_g, optimizer_d, dataloader
    )

    for (real,) in dataloader:
        z = torch.randn(real.shape[0], 3, device=accelerator.device)
        fake = generator(z)
        fake_logits = discriminator(fake)
        d_loss = hinge_d(discriminator(real), fake_logits)
        g_loss = -fake_logits.mean()

        optimizer_d.zero_grad()
        accelerator.backward(d_loss, retain_graph=True)
        optimizer_d.step()  # error: IP102

        optimizer_g.zero_grad()
        accelerator.backward(g_loss)
        optimizer_g.step()


if __name__ == "__main__":
    main()
