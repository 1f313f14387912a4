"""Toggling the optimizers freezes the other half, but the generator's loss still walks the critic's graph of before its step."""

import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader


class LSGAN(pl.LightningModule):
    def __init__(self, latent_dim=3):
        super().__init__()
        self.automatic_optimization = False
        self.latent_dim = latent_dim
        self.generator = nn.Sequential(nn.Linear(latent_dim, 8), nn.Tanh(), nn.Linear(8, 2))
        self.critic = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))

    def training_step(self, batch, batch_idx):
        optimizer_g, optimizer_d = self.optimizers()
        noise = torch.randn(batch.shape[0], self.latent_dim, device=self.device)
        fake = self.generator(noise)
        score = self.critic(fake)
        g_loss = (score - 1).pow(2).mean()

        self.toggle_optimizer(optimizer_d)
        d_loss = (self.critic(batch) - 1).pow(2).mean() + self.critic(fake.detach()).pow(2).mean()
        self.manual_backward(d_loss)
        optimizer_d.step()  # error: IP102
        optimizer_d.zero_grad()
        self.untoggle_optimizer(optimizer_d)

        self.toggle_optimizer(optimizer_g)
        self.manual_backward(g_loss)
        optimizer_g.step()
        optimizer_g.zero_grad()
        self.untoggle_optimizer(optimizer_g)

    def configure_optimizers(self):
        g = torch.optim.AdamW(self.generator.parameters(), lr=1e-3)
        d = torch.optim.AdamW(self.critic.parameters(), lr=1e-3)
        return g, d


trainer = pl.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(LSGAN(), DataLoader(torch.randn(6, 2), batch_size=3))
