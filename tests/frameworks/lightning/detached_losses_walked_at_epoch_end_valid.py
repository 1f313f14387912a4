"""The losses walked at the epoch's end hold only detached predictions, so the steps in between spoil nothing they need."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MetaWeighted(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
        self.temperature = nn.Parameter(torch.ones(1))
        self.kept = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        opt, _ = self.optimizers()
        prediction = self.net(x)
        loss = F.mse_loss(prediction, y)
        self.kept.append(F.mse_loss(prediction.detach() / self.temperature, y))
        opt.zero_grad()
        self.manual_backward(loss)
        opt.step()
        self.log("loss", loss)

    def on_train_epoch_end(self):
        _, opt_temperature = self.optimizers()
        opt_temperature.zero_grad()
        self.manual_backward(torch.stack(self.kept).mean())
        opt_temperature.step()
        self.kept.clear()

    def configure_optimizers(self):
        opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        opt_temperature = torch.optim.Adam([self.temperature], lr=0.01)
        return [opt, opt_temperature]


loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 1)), batch_size=4)
trainer = L.Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(MetaWeighted(), loader)
