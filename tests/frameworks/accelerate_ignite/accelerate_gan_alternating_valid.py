"""Each GAN loss is computed only when its turn comes, so no network steps under a graph that still needs it."""

import itertools

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader


class Generator(nn.Module):
    def __init__(self, latent: int, out: int) -> None:
        super().__init__()
        self.latent = latent
        self.layers = nn.Sequential(nn.Linear(latent, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, out), nn.Tanh())

    def sample(self, n: int) -> torch.Tensor:
        return self.layers(torch.randn(n, self.latent))

    forward = sample


def discriminator(inp: int) -> nn.Module:
    return nn.Sequential(nn.Linear(inp, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 1), nn.Flatten(0))


def d_hinge(disc, real, fake):
    return F.relu(1 - disc(real)).mean() + F.relu(1 + disc(fake.detach())).mean()


def g_hinge(disc, real, fake):
    return -disc(fake).mean()


def train(steps: int = 2) -> None:
    accelerator = Accelerator(cpu=True)
    gen, disc = Generator(3, 4), discriminator(4)
    opts = {
        "d": torch.optim.Adam(disc.parameters(), lr=2e-4, betas=(0.0, 0.9)),
        "g": torch.optim.Adam(gen.parameters(), lr=2e-4, betas=(0.0, 0.9)),
    }
    loader = DataLoader(torch.randn(8, 4), batch_size=4)
    gen, disc, loader = accelerator.prepare(gen, disc, loader)
    opts = {name: accelerator.prepare_optimizer(opt) for name, opt in opts.items()}
    objectives = {"d": d_hinge, "g": g_hinge}

    for real in itertools.islice(itertools.cycle(loader), steps):
        fake = gen(real.size(0))
        for name, objective in objectives.items():
            opts[name].zero_grad()
            accelerator.backward(objective(disc, real, fake))
            opts[name].step()


if __name__ == "__main__":
    torch.manual_seed(0)
    train()
