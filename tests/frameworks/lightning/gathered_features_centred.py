"""On one device all_gather hands back its argument, so centring the gathered features in place spoils what normalize has kept."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


class Contrastive(L.LightningModule):
    def __init__(self, temperature: float = 0.1):
        super().__init__()
        self.save_hyperparameters()
        self.encoder = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4))

    def training_step(self, batch, batch_idx):
        z = self.encoder(torch.cat([batch, batch + 0.1 * torch.randn_like(batch)]))
        z = F.normalize(z, dim=1)
        logits = z @ z.t() / self.hparams.temperature
        logits.fill_diagonal_(-1e9)
        n = batch.size(0)
        target = torch.arange(2 * n, device=self.device).roll(n)
        loss = F.cross_entropy(logits, target)
        with torch.no_grad():
            features = self.all_gather(z)
            features.sub_(features.mean(dim=0))  # error: IP101
            self.log("std", features.std())
        return loss

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=1e-3)
        scheduler = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, max_lr=1e-2, total_steps=self.trainer.estimated_stepping_batches
        )
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}


trainer = L.Trainer(
    max_epochs=1,
    accelerator="cpu",
    gradient_clip_val=1.0,
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Contrastive(), DataLoader(torch.randn(8, 6), batch_size=4))
