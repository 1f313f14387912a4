"""A division keeps the running scale for its gradient, and training_step moves that buffer before the trainer walks the loss."""

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ScaledRegressor(pl.LightningModule):
    def __init__(self, features: int = 4, momentum: float = 0.1):
        super().__init__()
        self.save_hyperparameters()
        self.stem = nn.Linear(features, features)
        self.head = nn.Linear(features, 1)
        self.register_buffer("scale", torch.ones(features))

    def forward(self, x):
        self.latent = self.stem(x)
        return self.head(self.latent / self.scale)

    def _shared_step(self, batch, stage):
        x, y = batch
        loss = F.huber_loss(self(x), y)
        self.log(f"{stage}/loss", loss, prog_bar=True)
        return loss

    def training_step(self, batch, batch_idx):
        loss = self._shared_step(batch, "train")
        self.scale.lerp_(self.latent.detach().std(dim=0), self.hparams.momentum)  # error: IP101
        return loss

    def validation_step(self, batch, batch_idx):
        self._shared_step(batch, "val")

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=1e-3)
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "monitor": "val/loss"}}


loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 1)), batch_size=4)
trainer = pl.Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(ScaledRegressor(), loader, loader)
