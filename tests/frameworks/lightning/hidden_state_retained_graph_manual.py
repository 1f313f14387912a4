"""Keeping the graph with retain_graph lets the second batch walk the first one, whose weights the optimizer has stepped since."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Forecaster(L.LightningModule):
    def __init__(self, features=3, hidden=6):
        super().__init__()
        self.automatic_optimization = False
        self.lstm = nn.LSTM(features, hidden, batch_first=True)
        self.head = nn.Linear(hidden, features)
        self.hidden_state = None

    def training_step(self, batch, batch_idx):
        x, y = batch
        opt = self.optimizers()
        out, self.hidden_state = self.lstm(x, self.hidden_state)
        loss = F.mse_loss(self.head(out), y)
        opt.zero_grad()
        self.manual_backward(loss, retain_graph=True)
        opt.step()  # error: IP102
        self.log("loss", loss)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


series = torch.randn(8, 5, 3)
loader = DataLoader(TensorDataset(series[:, :-1], series[:, 1:]), batch_size=4)
trainer = L.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Forecaster(), loader)
