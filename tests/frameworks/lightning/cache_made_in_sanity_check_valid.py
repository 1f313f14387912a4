"""The sanity check within fit runs under no_grad, never inference mode, so the positional table it caches serves training, too."""

import math

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RotaryMixer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
        self.cached = None

    def table(self, x):
        if self.cached is None or self.cached.size(0) < x.size(1):
            position = torch.arange(x.size(1), device=x.device, dtype=x.dtype)
            self.cached = torch.sin(position[:, None] / math.sqrt(x.size(2)))
        return self.cached[: x.size(1)]

    def forward(self, x):
        h = self.proj(x)
        return h * self.table(h)


class SequenceModel(L.LightningModule):
    def __init__(self, dim=4):
        super().__init__()
        self.mixer = RotaryMixer(dim)
        self.head = nn.Linear(dim, 2)

    def forward(self, x):
        return self.head(self.mixer(x).mean(dim=1))

    def training_step(self, batch, batch_idx):
        x, y = batch
        return F.cross_entropy(self(x), y)

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("val_loss", F.cross_entropy(self(x), y))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


loader = DataLoader(TensorDataset(torch.randn(4, 3, 4), torch.randint(0, 2, (4,))), batch_size=2)
trainer = L.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(SequenceModel(), loader, loader)
