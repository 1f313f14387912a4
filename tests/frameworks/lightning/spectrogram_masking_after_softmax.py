"""The augmentation zeroes time bands of the softmax attention map in place, and softmax has saved that very map."""

import logging
import random
import warnings

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore")


class BandMask:
    """Zeroes random bands along one axis, as SpecAugment does."""

    def __init__(self, width: int, count: int = 1) -> None:
        self.width, self.count = width, count

    def __call__(self, values: torch.Tensor) -> torch.Tensor:
        for _ in range(self.count):
            start = random.randrange(values.size(-1) - self.width)
            values[..., start : start + self.width] = 0.0  # error: IP101
        return values


class AttentivePool(nn.Module):
    def __init__(self, dim: int, mask: BandMask) -> None:
        super().__init__()
        self.score = nn.Linear(dim, 1)
        self.mask = mask

    def forward(self, frames: torch.Tensor) -> torch.Tensor:
        weights = self.score(frames).squeeze(-1).softmax(dim=-1)
        if self.training:
            weights = self.mask(weights)
        return torch.einsum("bt,btd->bd", weights, frames)


class KeywordSpotter(L.LightningModule):
    def __init__(self, n_mels: int = 6, n_classes: int = 3) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_mels, 8), nn.ReLU())
        self.pool = AttentivePool(8, BandMask(width=2))
        self.classifier = nn.Linear(8, n_classes)
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.1)

    def forward(self, mels):
        return self.classifier(self.pool(self.encoder(mels)))

    def training_step(self, batch, _):
        mels, labels = batch
        loss = self.criterion(self(mels), labels)
        self.log("loss", loss)
        return {"loss": loss}

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=1e-3)
        return {"optimizer": optimizer, "lr_scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 1)}


if __name__ == "__main__":
    random.seed(0)
    loader = DataLoader(TensorDataset(torch.randn(4, 9, 6), torch.randint(3, (4,))), batch_size=2)
    L.Trainer(
        fast_dev_run=2, accelerator="cpu", logger=False, enable_progress_bar=False, enable_model_summary=False
    ).fit(KeywordSpotter(), loader)
