"""Each window of the sequence is walked, stepped and then cut off from the next by detaching the LSTM's state."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Forecaster(L.LightningModule):
    def __init__(self, features=3, hidden=6, split_size=2):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.lstm = nn.LSTM(features, hidden, batch_first=True)
        self.head = nn.Linear(hidden, features)

    def training_step(self, batch, batch_idx):
        x, y = batch
        opt = self.optimizers()
        hiddens = None
        windows = zip(x.split(self.hparams.split_size, dim=1), y.split(self.hparams.split_size, dim=1))
        for split_x, split_y in windows:
            out, hiddens = self.lstm(split_x, hiddens)
            loss = F.mse_loss(self.head(out), split_y)
            opt.zero_grad()
            self.manual_backward(loss)
            opt.step()
            hiddens = tuple(h.detach() for h in hiddens)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


series = torch.randn(8, 5, 3)
loader = DataLoader(TensorDataset(series[:, :-1], series[:, 1:]), batch_size=4)
trainer = L.Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Forecaster(), loader)
