"""The loader of the module gives numbers: an index by one is a view of the buffer, which keeps the graph of each step."""

import lightning as L
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Rays(Dataset):
    def __init__(self, pictures, strategy="same"):
        self.pictures = pictures
        self.strategy = strategy

    def __len__(self):
        return 4

    def __getitem__(self, index):
        pixels = np.random.choice(9, 5)
        if self.strategy == "all":
            pictures = np.random.choice(self.pictures, 5)
        else:
            pictures = np.random.choice(self.pictures, 1)[0] * 0
        return {"pictures": pictures, "pixels": pixels}


class Poses(L.LightningModule):
    def __init__(self, pictures=3):
        super().__init__()
        self.pictures = pictures
        self.register_buffer("poses", torch.rand(pictures, 3, 4))
        self.register_buffer("directions", torch.rand(9, 3))
        self.shifts = nn.Parameter(torch.zeros(pictures, 3))

    def setup(self, stage):
        self.rays = Rays(self.pictures)

    def forward(self, batch):
        pose = self.poses[batch["pictures"]]
        pose[..., 3] += self.shifts[batch["pictures"]]
        return self.directions[batch["pixels"]] @ pose[..., :3].mT + pose[..., 3]

    def training_step(self, batch, batch_idx):
        return self(batch).square().mean()

    def train_dataloader(self):
        return DataLoader(self.rays, batch_size=None)

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
trainer.fit(Poses())  # error: IP103
