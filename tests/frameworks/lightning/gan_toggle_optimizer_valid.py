"""The generator goes first and the critic scores fresh fakes, each with the other half toggled off, so no step meets an open graph."""

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

        self.toggle_optimizer(optimizer_g)
        self.generated = self.generator(noise)
        g_loss = (self.critic(self.generated) - 1).pow(2).mean()
        self.log("g_loss", g_loss, prog_bar=True)
        self.manual_backward(g_loss)
        optimizer_g.step()
        optimizer_g.zero_grad()
        self.untoggle_optimizer(optimizer_g)

        self.toggle_optimizer(optimizer_d)
        real_loss = (self.critic(batch) - 1).pow(2).mean()
        fake_loss = self.critic(self.generator(noise).detach()).pow(2).mean()
        d_loss = (real_loss + fake_loss) / 2
        self.log("d_loss", d_loss, prog_bar=True)
        self.manual_backward(d_loss)
        optimizer_d.step()
        optimizer_d.zero_grad()
        self.untoggle_optimizer(optimizer_d)

    def configure_optimizers(self):
        g = torch.optim.AdamW(self.generator.parameters(), lr=1e-3)
        d = torch.optim.AdamW(self.critic.parameters(), lr=1e-3)
        return g, d


trainer = pl.Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(LSGAN(), DataLoader(torch.randn(6, 2), batch_size=3))
