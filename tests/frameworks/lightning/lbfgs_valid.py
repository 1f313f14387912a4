"""LBFGS calls the whole training_step several times within one step, and each call builds and walks its own graph."""

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Fit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 6), nn.Tanh(), nn.Linear(6, 1))
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))

    def on_after_batch_transfer(self, batch, dataloader_idx):
        x, y = batch
        x.sub_(x.mean()).div_(x.std())
        return x, y

    def training_step(self, batch, batch_idx):
        x, y = batch
        self.calls += 1
        residual = self.net(x) - y
        loss = F.softplus(residual.abs_()).mean()
        self.log("loss", loss, prog_bar=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.LBFGS(self.parameters(), lr=0.5, max_iter=4)


x = torch.linspace(-1, 1, 16).unsqueeze(1)
trainer = pl.Trainer(
    max_epochs=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Fit(), DataLoader(TensorDataset(x, torch.sin(3 * x)), batch_size=16))
