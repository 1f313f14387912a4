"""The hook keeps the features detached, so the next batch's loss reaches no graph that the trainer has freed."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SmoothClassifier(L.LightningModule):
    def __init__(self, weight=0.1):
        super().__init__()
        self.save_hyperparameters()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
        self.head = nn.Linear(8, 3)
        self.previous = None

    def training_step(self, batch, batch_idx):
        x, y = batch
        features = self.backbone(x)
        loss = F.cross_entropy(self.head(features), y)
        if self.previous is not None:
            loss = loss + self.hparams.weight * F.mse_loss(features.mean(dim=0), self.previous.mean(dim=0))
        self.log("train_loss", loss)
        return {"loss": loss, "features": features}

    def on_train_batch_end(self, outputs, batch, batch_idx):
        self.previous = outputs["features"].detach()

    def configure_optimizers(self):
        return [torch.optim.SGD(self.parameters(), lr=0.1)]


loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randint(0, 3, (8,))), batch_size=4)
trainer = L.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(SmoothClassifier(), loader)
