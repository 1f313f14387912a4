"""The loss is summed over batches on the module and walked at every batch, although the first batch's graph is freed by then."""

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
        loss = F.mse_loss(self.net(x), y)
        self.accumulated_loss = self.accumulated_loss + loss / self.hparams.accumulate
        self.manual_backward(self.accumulated_loss)  # error: IP103
        if (batch_idx + 1) % self.hparams.accumulate == 0:
            opt.step()
            opt.zero_grad()
            self.accumulated_loss = 0.0
        self.log("loss", loss)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 1)), batch_size=2)
trainer = L.Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Regressor(), loader)
