"""A callback moves the averaged weights after each batch, when the trainer has walked the graph and stepped the weights."""

import copy

import lightning as L
import torch
from lightning.pytorch.callbacks import Callback
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class EMACallback(Callback):
    def __init__(self, decay=0.99):
        self.decay = decay

    def on_fit_start(self, trainer, pl_module):
        self.ema = copy.deepcopy(pl_module.net).requires_grad_(False)

    @torch.no_grad()
    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        for averaged, current in zip(self.ema.parameters(), pl_module.net.parameters()):
            averaged.mul_(self.decay).add_(current, alpha=1 - self.decay)

    def on_train_end(self, trainer, pl_module):
        pl_module.net.load_state_dict(self.ema.state_dict())


class Classifier(L.LightningModule):
    def __init__(self, lr: float = 1e-2):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3))
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = self.criterion(self(x), y)
        self.log("train_loss", loss, on_step=True, on_epoch=True)
        return loss

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}


loader = DataLoader(TensorDataset(torch.randn(12, 4), torch.randint(0, 3, (12,))), batch_size=6)
trainer = L.Trainer(
    max_steps=2,
    accelerator="cpu",
    callbacks=[EMACallback()],
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Classifier(), loader)
