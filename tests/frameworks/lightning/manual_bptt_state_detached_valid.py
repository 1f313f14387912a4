"""The module keeps its recurrent state between chunks and detaches it in place before the next one begins."""

import logging
import warnings

import lightning.pytorch as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore")


class Series(Dataset):
    def __init__(self, count: int = 4, length: int = 6) -> None:
        self.values = torch.randn(count, length, 2)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: int):
        return self.values[index]


class TBPTTModel(pl.LightningModule):
    def __init__(self, hidden: int = 4, chunk: int = 3) -> None:
        super().__init__()
        self.automatic_optimization = False
        self.save_hyperparameters()
        self.cell = nn.GRUCell(2, hidden)
        self.out = nn.Linear(hidden, 2)
        self.state = None

    def run_chunk(self, chunk: torch.Tensor) -> torch.Tensor:
        losses = []
        for x, target in zip(chunk[:, :-1].unbind(1), chunk[:, 1:].unbind(1)):
            self.state = self.cell(x, self.state)
            losses.append((self.out(self.state) - target).pow(2).mean())
        return torch.stack(losses).mean()

    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        self.state = torch.zeros(batch.size(0), self.hparams.hidden)
        for chunk in batch.split(self.hparams.chunk, dim=1):
            optimizer.zero_grad()
            loss = self.run_chunk(chunk)
            self.manual_backward(loss)
            optimizer.step()
            self.state.detach_()

    def configure_optimizers(self):
        return torch.optim.RMSprop(self.parameters(), lr=1e-3)


if __name__ == "__main__":
    trainer = pl.Trainer(
        max_steps=4,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(TBPTTModel(), train_dataloaders=DataLoader(Series(), batch_size=2))
