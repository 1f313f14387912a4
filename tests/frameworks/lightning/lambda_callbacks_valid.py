"""Functions in a `LambdaCallback` write weights after each step and gradients before it."""

import lightning as L
import torch
from lightning.pytorch.callbacks import LambdaCallback
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Model(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

    def training_step(self, batch, batch_idx):
        return self.net(batch[0]).pow(2).mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def shrink(trainer, module, outputs, batch, batch_idx):
    for weight in module.parameters():
        weight.data.mul_(0.99)


def halve(trainer, module, optimizer):
    for weight in module.parameters():
        weight.grad.mul_(0.5)


trainer = L.Trainer(
    max_epochs=1,
    accelerator="cpu",
    callbacks=[LambdaCallback(on_train_batch_end=shrink), LambdaCallback(on_before_optimizer_step=halve)],
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Model(), DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=2))
