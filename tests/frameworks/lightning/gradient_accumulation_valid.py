"""Each batch walks its own loss and keeps only its number; the optimizer and the scheduler move every second batch."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(L.LightningModule):
    def __init__(self, accumulate=2):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.accumulated_loss = 0.0

    def training_step(self, batch, batch_idx):
        x, y = batch
        opt = self.optimizers()
        sch = self.lr_schedulers()
        loss = F.mse_loss(self.net(x), y) / self.hparams.accumulate
        self.accumulated_loss = self.accumulated_loss + loss.detach()
        self.manual_backward(loss)
        if (batch_idx + 1) % self.hparams.accumulate == 0:
            self.clip_gradients(opt, gradient_clip_val=0.5, gradient_clip_algorithm="norm")
            opt.step()
            opt.zero_grad()
            sch.step()
            self.log("loss", self.accumulated_loss, prog_bar=True)
            self.accumulated_loss = 0.0

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters())
        return [optimizer], [torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)]


class RandomData(L.LightningDataModule):
    def setup(self, stage):
        self.train = TensorDataset(torch.randn(8, 4), torch.randn(8, 1))

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=2, shuffle=True)


trainer = L.Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Regressor(), datamodule=RandomData())
