"""A variational autoencoder of linear layers."""

import torch
import torch.nn.functional as F
from torch import nn

SHAPE = (512, 784)


class Net(nn.Module):
    def __init__(self, size=784, hidden=512, latent=32):
        super().__init__()
        self.encode = nn.Linear(size, hidden)
        self.mean = nn.Linear(hidden, latent)
        self.scale = nn.Linear(hidden, latent)
        self.decode = nn.Sequential(nn.Linear(latent, hidden), nn.SELU(), nn.Linear(hidden, size))

    def forward(self, x):
        h = F.selu(self.encode(x))
        mean, scale = self.mean(h), self.scale(h)
        z = mean + torch.randn_like(mean) * torch.exp(0.5 * scale)
        return torch.sigmoid(self.decode(z))
