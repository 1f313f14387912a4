"""The callback binarises the weights for forward and backward and restores them after it, before the optimizer steps."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BinaryConnect(L.Callback):
    @torch.no_grad()
    def on_train_batch_start(self, trainer, pl_module, batch, batch_idx):
        self.saved = {name: p.clone() for name, p in pl_module.named_parameters() if p.dim() > 1}
        for name, p in pl_module.named_parameters():
            if name in self.saved:
                p.sign_()

    @torch.no_grad()
    def on_after_backward(self, trainer, pl_module):
        for name, p in pl_module.named_parameters():
            if name in self.saved:
                p.copy_(self.saved[name])


class Classifier(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Hardtanh(), nn.Linear(8, 3))

    def training_step(self, batch, batch_idx):
        x, y = batch
        return F.cross_entropy(self.net(x), y)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2)


loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randint(0, 3, (8,))), batch_size=4)
trainer = L.Trainer(
    max_steps=2,
    accelerator="cpu",
    callbacks=[BinaryConnect()],
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Classifier(), loader)
