"""The VAE adds the noise onto the mean in place to save memory, after the divergence has kept the mean for its square."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


class Encoder(nn.Module):
    def __init__(self, inp: int, latent: int) -> None:
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(inp, 8), nn.ReLU())
        self.mu, self.logvar = nn.Linear(8, latent), nn.Linear(8, latent)

    def forward(self, x):
        h = self.shared(x)
        return self.mu(h), self.logvar(h)


def reparameterise(mu: torch.Tensor, logvar: torch.Tensor) -> torch.Tensor:
    std = logvar.mul(0.5).exp_()
    noise = torch.randn_like(std)
    return mu.addcmul_(std, noise)  # error: IP101


def kl_divergence(mu: torch.Tensor, logvar: torch.Tensor) -> torch.Tensor:
    return -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(dim=1).mean()


class VAE(nn.Module):
    def __init__(self, inp: int = 6, latent: int = 2) -> None:
        super().__init__()
        self.encoder = Encoder(inp, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, 8), nn.ReLU(), nn.Linear(8, inp))

    def forward(self, x):
        mu, logvar = self.encoder(x)
        divergence = kl_divergence(mu, logvar)
        z = reparameterise(mu, logvar) if self.training else mu
        return self.decoder(z), divergence


def main(epochs: int = 1, beta: float = 0.5) -> None:
    torch.manual_seed(0)
    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    warmup = LambdaLR(optimizer, lr_lambda=lambda epoch: min(1.0, (epoch + 1) / 5))
    for _ in range(epochs):
        x = torch.rand(4, 6)
        logits, divergence = model(x)
        loss = F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / len(x) + beta * divergence
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        warmup.step()


if __name__ == "__main__":
    main()
