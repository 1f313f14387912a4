"""A data module's loader gives rows of one table; the step writes what it has learned into them."""

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Table(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[0], index


class Tables(L.LightningDataModule):
    def __init__(self, size=4):
        super().__init__()
        self.size = size

    def setup(self, stage):
        self.train_set = Table(torch.rand(self.size, 3))

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=None)


class Scaler(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.head = nn.Linear(3, 1)

    def training_step(self, batch, batch_idx):
        row, _ = batch
        row *= self.scale
        return self.head(row).square().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


trainer = L.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Scaler(), datamodule=Tables())  # error: IP103
