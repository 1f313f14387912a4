"""The standard deviation of the VAE is clamped in place, though exp has saved its result for the backward."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from diffusers import AutoencoderKL
from diffusers.models.modeling_utils import ModelMixin
from torch import nn


@dataclass
class LossWeights:
    reconstruction: float = 1.0
    kl: float = 1e-6


class Posterior:
    def __init__(self, moments: torch.Tensor) -> None:
        self.mean = moments[:, :2]
        self.logvar = moments[:, 2:]
        self.precision = torch.exp(-self.logvar)
        self.std = torch.exp(0.5 * self.logvar)

    def rsample(self) -> torch.Tensor:
        return torch.addcmul(self.mean, self.std, torch.randn_like(self.std))

    def bound_(self, low: float, high: float) -> "Posterior":
        self.std.clamp_(low, high)  # error: IP101
        return self

    def kl(self) -> torch.Tensor:
        return 0.5 * (self.mean.pow(2) + self.std**2 - 1.0 - self.logvar).sum(dim=(1, 2, 3))


class TinyVAE(nn.Module):
    def __init__(self, autoencoder: ModelMixin) -> None:
        super().__init__()
        self.autoencoder = autoencoder

    def forward(self, images):
        hidden = self.autoencoder.encoder(images)
        posterior = Posterior(self.autoencoder.quant_conv(hidden)).bound_(1e-3, 10.0)
        decoded = self.autoencoder.decode(posterior.rsample()).sample
        return decoded, posterior


def main() -> None:
    torch.manual_seed(0)
    autoencoder = AutoencoderKL(
        in_channels=1,
        out_channels=1,
        down_block_types=("DownEncoderBlock2D",),
        up_block_types=("UpDecoderBlock2D",),
        block_out_channels=(4,),
        latent_channels=2,
        norm_num_groups=2,
        sample_size=8,
    )
    model, weights = TinyVAE(autoencoder), LossWeights()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    images = torch.rand(2, 1, 8, 8)
    decoded, posterior = model(images)
    loss = weights.reconstruction * F.l1_loss(decoded, images) + weights.kl * posterior.kl().mean()
    loss.backward()
    optimizer.step()


if __name__ == "__main__":
    main()
