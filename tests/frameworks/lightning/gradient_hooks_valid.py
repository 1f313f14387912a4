"""The gradients are rewritten in on_after_backward and on_before_optimizer_step, and the weights just before the step: the graph is gone."""

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(pl.LightningModule):
    def __init__(self, noise=0.01):
        super().__init__()
        self.save_hyperparameters()
        self.encoder = nn.Sequential(nn.Linear(4, 8), nn.GELU())
        self.head = nn.Linear(8, 3, bias=False)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self.head(self.encoder(x)), y)
        self.log("train/loss", loss)
        return loss

    def on_after_backward(self):
        for param in self.parameters():
            if param.grad is not None:
                torch.nan_to_num_(param.grad)
                param.grad.add_(torch.randn_like(param.grad), alpha=self.hparams.noise)

    def on_before_optimizer_step(self, optimizer):
        norm = torch.cat([p.grad.flatten() for p in self.parameters()]).norm()
        self.log("grad_norm", norm)
        with torch.no_grad():
            self.head.weight.copy_(F.normalize(self.head.weight, dim=1))

    def configure_gradient_clipping(self, optimizer, gradient_clip_val=None, gradient_clip_algorithm=None):
        self.clip_gradients(optimizer, gradient_clip_val=0.5, gradient_clip_algorithm="norm")

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)]


loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randint(0, 3, (8,))), batch_size=4)
trainer = pl.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Classifier(), loader)
