"""Trains a small variational autoencoder on random images.

It reads like code that works. It holds four in-place writes that break its gradients, next to several that look just as
dangerous and are fine. See them with

    inplace-lsp check examples/train_vae.py
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


@dataclass(frozen=True)
class Settings:
    size: int = 16
    channels: int = 8
    latent: int = 4
    batch: int = 16
    epochs: int = 2
    learning_rate: float = 1e-3
    kl_weight: float = 0.1
    ema_decay: float = 0.99
    weight_limit: float = 0.5


class Block(nn.Module):
    """Convolution, normalisation, activation. The last works in place, and may: batch_norm keeps its input only."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel_size=3, stride=stride, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.act(self.norm(self.conv(x)))


class Encoder(nn.Module):
    """Images to the mean and the log variance of their latent code."""

    def __init__(self, settings: Settings):
        super().__init__()
        self.blocks = nn.Sequential(Block(1, settings.channels, stride=2), Block(settings.channels, settings.channels))
        features = settings.channels * (settings.size // 2) ** 2
        self.mean = nn.Linear(features, settings.latent)
        self.log_variance = nn.Linear(features, settings.latent)

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor]:
        features = self.blocks(images).flatten(1)
        return self.mean(features), self.log_variance(features)


class Decoder(nn.Module):
    """Latent codes to images with pixels strictly between 0 and 1."""

    def __init__(self, settings: Settings):
        super().__init__()
        self.size = settings.size
        self.hidden = nn.Linear(settings.latent, 64)
        self.out = nn.Linear(64, settings.size**2)

    def forward(self, code: Tensor) -> Tensor:
        hidden = F.gelu(self.hidden(code))
        pixels = torch.sigmoid(self.out(hidden))
        pixels.clamp_(1e-6, 1 - 1e-6)  # keeps the logarithm in the loss finite, but sigmoid needs its result
        return pixels.view(-1, 1, self.size, self.size)


class VAE(nn.Module):
    def __init__(self, settings: Settings):
        super().__init__()
        self.encoder = Encoder(settings)
        self.decoder = Decoder(settings)

    def sample(self, mean: Tensor, log_variance: Tensor) -> Tensor:
        """The reparameterisation trick. Writing to the noise is fine: nothing has saved it yet."""
        deviation = log_variance.mul(0.5).exp_()
        noise = torch.randn_like(deviation)
        return noise.mul_(deviation).add_(mean)

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        mean, log_variance = self.encoder(images)
        return self.decoder(self.sample(mean, log_variance)), mean, log_variance


def kl_divergence(mean: Tensor, log_variance: Tensor) -> Tensor:
    variance = log_variance.exp()
    terms = mean.pow(2) + variance - log_variance
    variance.data.clamp_(max=10.0)  # for the log line only, but exp has saved this memory: a wrong gradient, no error
    terms -= 1  # fine: an addition keeps nothing
    return 0.5 * terms.sum(dim=1).mean()


def clip_weights(model: nn.Module, limit: float) -> None:
    for parameter in model.parameters():
        parameter.clamp_(-limit, limit)  # not under no_grad


@torch.no_grad()
def update_average(average: nn.Module, model: nn.Module, decay: float) -> None:
    """Fine: under no_grad, after the backward."""
    for slow, fast in zip(average.parameters(), model.parameters()):
        slow.mul_(decay).add_(fast, alpha=1 - decay)


def train_step(model: VAE, images: Tensor, optimizer: torch.optim.Optimizer, settings: Settings) -> float:
    optimizer.zero_grad()
    restored, mean, log_variance = model(images)
    reconstruction = F.binary_cross_entropy(restored, images)
    reconstruction.backward(retain_graph=True)
    optimizer.step()  # writes the weights that the second backward is still to use
    divergence = settings.kl_weight * kl_divergence(mean, log_variance)
    divergence.backward()
    optimizer.step()
    return reconstruction.item() + divergence.item()


def train(settings: Settings) -> float:
    torch.manual_seed(0)
    images = torch.rand(64, 1, settings.size, settings.size)
    loader = DataLoader(TensorDataset(images), batch_size=settings.batch, shuffle=True)
    model = VAE(settings)
    average = copy.deepcopy(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.learning_rate)
    loss = 0.0
    for _ in range(settings.epochs):
        for (batch,) in loader:
            loss = train_step(model, batch, optimizer, settings)
            clip_weights(model, settings.weight_limit)
            update_average(average, model, settings.ema_decay)
    return loss


if __name__ == "__main__":
    print(f"last loss: {train(Settings()):.3f}")
