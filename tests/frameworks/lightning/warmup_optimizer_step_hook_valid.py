"""The overridden optimizer_step warms the rate up and hands the closure on, so the trainer scores, walks and steps in that order."""

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(pl.LightningModule):
    def __init__(self, learning_rate=1e-2, warmup_steps=10):
        super().__init__()
        self.save_hyperparameters()
        self.layer = nn.Sequential(nn.Linear(5, 8), nn.SiLU(), nn.Linear(8, 3))

    def training_step(self, batch, batch_idx):
        x, y = batch
        logits = self.layer(x)
        loss = F.cross_entropy(logits, y, label_smoothing=0.1)
        accuracy = (logits.argmax(dim=-1) == y).float().mean()
        self.log_dict({"loss": loss, "accuracy": accuracy}, prog_bar=True)
        return loss

    def optimizer_step(self, epoch, batch_idx, optimizer, optimizer_closure):
        optimizer.step(closure=optimizer_closure)
        if self.trainer.global_step < self.hparams.warmup_steps:
            lr_scale = min(1.0, float(self.trainer.global_step + 1) / self.hparams.warmup_steps)
            for group in optimizer.param_groups:
                group["lr"] = lr_scale * self.hparams.learning_rate

    def optimizer_zero_grad(self, epoch, batch_idx, optimizer):
        optimizer.zero_grad(set_to_none=False)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.hparams.learning_rate, momentum=0.9)


loader = DataLoader(TensorDataset(torch.randn(8, 5), torch.randint(0, 3, (8,))), batch_size=4)
trainer = pl.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Classifier(), loader)
