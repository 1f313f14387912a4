"""The samples keep a table on themselves, and the function that puts them together hands out that table."""

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Graphs(Dataset):
    def __init__(self):
        self.positions = torch.rand(5, 3)

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return {"positions": self.positions, "label": index % 2}


def put_together(samples):
    labels = torch.tensor([sample["label"] for sample in samples])
    return samples[0]["positions"], labels


class Stretcher(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.graphs = Graphs()
        self.stretch = nn.Parameter(torch.ones(3))
        self.head = nn.Linear(15, 2)

    def stretch_all(self, positions):
        positions *= self.stretch
        return positions

    def training_step(self, batch, batch_idx):
        positions, labels = batch
        scores = self.head(self.stretch_all(positions).flatten()).expand(len(labels), 2)
        return nn.functional.cross_entropy(scores, labels)

    def train_dataloader(self):
        return DataLoader(self.graphs, batch_size=2, collate_fn=put_together)

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
trainer.fit(Stretcher())  # error: IP103
