"""Clamping the weights at the end of the batch comes after the trainer's backward and step, so nothing needs the old weights."""

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MonotonicRegressor(L.LightningModule):
    def __init__(self, hidden=8, lr=1e-2):
        super().__init__()
        self.save_hyperparameters()
        self.lift = nn.Linear(3, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.lift(x)))

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.mse_loss(self(x).squeeze(-1), y)
        self.log("loss", loss, prog_bar=True)
        return loss

    def on_train_batch_end(self, outputs, batch, batch_idx):
        with torch.no_grad():
            for layer in (self.lift, self.out):
                layer.weight.clamp_(min=0)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.hparams.lr)


x = torch.rand(8, 3)
loader = DataLoader(TensorDataset(x, x.sum(dim=1)), batch_size=4)
trainer = L.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(MonotonicRegressor(), loader)
