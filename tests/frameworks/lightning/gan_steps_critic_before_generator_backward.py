"""A GAN in manual optimization scores the fakes once and steps the critic while the generator's loss still needs its old weights."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Generator(nn.Module):
    def __init__(self, latent_dim, out_dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent_dim, 16), nn.ReLU(inplace=True), nn.Linear(16, out_dim), nn.Tanh())

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self, in_dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(in_dim, 16), nn.LeakyReLU(0.2, inplace=True), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


class GAN(L.LightningModule):
    def __init__(self, latent_dim: int = 4, data_dim: int = 6, lr: float = 2e-4):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.generator = Generator(self.hparams.latent_dim, self.hparams.data_dim)
        self.discriminator = Discriminator(self.hparams.data_dim)

    def training_step(self, batch, batch_idx):
        (real,) = batch
        opt_g, opt_d = self.optimizers()
        z = torch.randn(real.size(0), self.hparams.latent_dim, device=self.device)
        fake = self.generator(z)
        fake_logits = self.discriminator(fake)
        real_logits = self.discriminator(real)

        loss_g = F.binary_cross_entropy_with_logits(fake_logits, torch.ones_like(fake_logits))
        loss_d = F.binary_cross_entropy_with_logits(real_logits, torch.ones_like(real_logits))
        loss_d = loss_d + F.binary_cross_entropy_with_logits(fake_logits, torch.zeros_like(fake_logits))

        opt_d.zero_grad()
        self.manual_backward(loss_d, retain_graph=True)
        opt_d.step()  # error: IP102

        opt_g.zero_grad()
        self.manual_backward(loss_g)
        opt_g.step()
        self.log_dict({"loss_d": loss_d, "loss_g": loss_g}, prog_bar=True)

    def configure_optimizers(self):
        opt_g = torch.optim.Adam(self.generator.parameters(), lr=self.hparams.lr, betas=(0.5, 0.999))
        opt_d = torch.optim.Adam(self.discriminator.parameters(), lr=self.hparams.lr, betas=(0.5, 0.999))
        return [opt_g, opt_d], []


loader = DataLoader(TensorDataset(torch.randn(8, 6)), batch_size=4)
trainer = L.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(GAN(), loader)
