"""A callback steps the optimizer of the module itself between two losses of a manual step."""

import lightning as L
import torch
from lightning.pytorch.callbacks import LambdaCallback
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Model(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
        self.kept = None

    def training_step(self, batch, batch_idx):
        loss = self.net(batch[0]).pow(2).mean()
        if self.kept is not None:
            self.manual_backward(self.kept)
        self.kept = loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def step_all(trainer, pl_module, outputs, batch, batch_idx):
    for optimizer in trainer.optimizers:
        optimizer.step()  # error: IP102


L.Trainer(
    max_epochs=1,
    accelerator="cpu",
    callbacks=[
        LambdaCallback(on_train_batch_end=step_all),
        LambdaCallback(on_train_batch_start=lambda trainer, module, batch, idx: module.net[0].weight.data.mul_(1.0)),
    ],
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
).fit(Model(), DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=2))
