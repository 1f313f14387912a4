"""A GAN in manual optimization scores detached fakes for the critic and scores the fakes again after the critic's step."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class GAN(L.LightningModule):
    def __init__(self, latent_dim: int = 4, data_dim: int = 6, lr: float = 2e-4):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.generator = nn.Sequential(
            nn.Linear(latent_dim, 16), nn.ReLU(inplace=True), nn.Linear(16, data_dim), nn.Tanh()
        )
        self.discriminator = nn.Sequential(nn.Linear(data_dim, 16), nn.LeakyReLU(0.2, inplace=True), nn.Linear(16, 1))

    def forward(self, z):
        return self.generator(z)

    def adversarial_loss(self, logits, is_real):
        target = torch.full_like(logits, float(is_real))
        return F.binary_cross_entropy_with_logits(logits, target)

    def training_step(self, batch, batch_idx):
        (real,) = batch
        opt_g, opt_d = self.optimizers()
        fake = self(torch.randn(real.size(0), self.hparams.latent_dim).type_as(real))

        loss_d = self.adversarial_loss(self.discriminator(real), True)
        loss_d = loss_d + self.adversarial_loss(self.discriminator(fake.detach()), False)
        opt_d.zero_grad()
        self.manual_backward(loss_d)
        opt_d.step()

        loss_g = self.adversarial_loss(self.discriminator(fake), True)
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
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(GAN(), loader)
