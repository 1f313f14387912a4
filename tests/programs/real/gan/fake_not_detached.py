"""The fake batch is not detached for the discriminator, whose backward frees the generator's graph."""

import torch
from torch import nn

latent_dim = 6


def make_mlp(sizes, last=None):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    layers.pop()
    if last is not None:
        layers.append(last)
    return nn.Sequential(*layers)


G = make_mlp([latent_dim, 16, 10], nn.Tanh())
D = make_mlp([10, 16, 1])
bce = nn.BCEWithLogitsLoss()
g_opt = torch.optim.Adam(G.parameters(), lr=1e-3)
d_opt = torch.optim.Adam(D.parameters(), lr=1e-3)


def train_discriminator(real, fake):
    d_opt.zero_grad()
    loss = bce(D(real), torch.ones(len(real), 1)) + bce(D(fake), torch.zeros(len(fake), 1))
    loss.backward()
    d_opt.step()
    return loss.item()


def train_generator(fake):
    g_opt.zero_grad()
    loss = bce(D(fake), torch.ones(len(fake), 1))
    loss.backward()  # error: IP103
    g_opt.step()
    return loss.item()


for step in range(3):
    real = torch.randn(5, 10)
    fake = G(torch.randn(5, latent_dim))
    d_loss = train_discriminator(real, fake)
    g_loss = train_generator(fake)
    print(f"step {step}: d {d_loss:.3f} g {g_loss:.3f}")
