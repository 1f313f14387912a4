"""LightningModule with torchmetrics, schedulers by dict, and a loss that writes the probabilities it logs."""

from typing import Any

import lightning.pytorch as pl
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics import MetricCollection
from torchmetrics.classification import MulticlassAccuracy, MulticlassF1Score


class LitClassifier(pl.LightningModule):
    def __init__(self, backbone: nn.Module, num_classes: int = 3, lr: float = 1e-3, smoothing: float = 0.1) -> None:
        super().__init__()
        self.save_hyperparameters(ignore=["backbone"])
        self.backbone = backbone
        self.head = nn.LazyLinear(num_classes)
        metrics = MetricCollection(
            [MulticlassAccuracy(num_classes=num_classes), MulticlassF1Score(num_classes=num_classes)]
        )
        self.train_metrics = metrics.clone(prefix="train/")
        self.val_metrics = metrics.clone(prefix="val/")

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.backbone(x))

    def model_step(self, batch: Any) -> tuple[Tensor, Tensor, Tensor]:
        x, y = batch
        probs = self(x).softmax(dim=-1)
        picked = probs.gather(1, y[:, None]).squeeze(1)
        probs.mul_(1 - self.hparams.smoothing).add_(self.hparams.smoothing / self.hparams.num_classes)  # error: IP101
        return -picked.log().mean() + 0.1 * probs.pow(2).sum(), probs, y

    def training_step(self, batch, batch_idx):
        loss, probs, y = self.model_step(batch)
        self.log_dict(self.train_metrics(probs, y), on_step=True)
        return loss

    def validation_step(self, batch, batch_idx):
        loss, probs, y = self.model_step(batch)
        self.val_metrics.update(probs, y)
        self.log("val/loss", loss)

    def on_validation_epoch_end(self):
        self.log_dict(self.val_metrics.compute())
        self.val_metrics.reset()

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1)
        return {"optimizer": opt, "lr_scheduler": {"scheduler": sched, "monitor": "val/loss"}}


ds = TensorDataset(torch.randn(8, 4), torch.randint(3, (8,)))
model = LitClassifier(nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True)))
model(torch.randn(2, 4))
pl.Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
).fit(model, DataLoader(ds, batch_size=4), DataLoader(ds, batch_size=4))
