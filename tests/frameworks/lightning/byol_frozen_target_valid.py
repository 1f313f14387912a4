"""The target network is frozen and sees only data, so no graph keeps its weights when they are averaged before backward."""

import copy

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


class BYOL(pl.LightningModule):
    def __init__(self, dim=6, tau=0.99):
        super().__init__()
        self.save_hyperparameters()
        self.online = nn.Sequential(nn.Linear(dim, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 4))
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.predictor = nn.Linear(4, 4)

    @torch.no_grad()
    def update_target(self):
        for online, target in zip(self.online.parameters(), self.target.parameters()):
            target.mul_(self.hparams.tau).add_(online, alpha=1 - self.hparams.tau)

    def similarity(self, view, other):
        return -F.cosine_similarity(self.predictor(self.online(view)), self.target(other), dim=1).mean()

    def training_step(self, batch, batch_idx):
        view_1 = batch + 0.1 * torch.randn_like(batch)
        view_2 = batch + 0.1 * torch.randn_like(batch)
        loss = 0.5 * (self.similarity(view_1, view_2) + self.similarity(view_2, view_1))
        self.update_target()
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        params = [*self.online.parameters(), *self.predictor.parameters()]
        return torch.optim.SGD(params, lr=0.06)


trainer = pl.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(BYOL(), DataLoader(torch.randn(8, 6), batch_size=4))
