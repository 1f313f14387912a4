"""The forward scales a sigmoid's result into a new tensor, so the trainer finds all it needs when it walks the loss."""

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class GatedUnit(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.value = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim)
        self.gain = 2.0

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        gate = gate * self.gain
        return x + gate * self.value(x)


class Denoiser(L.LightningModule):
    def __init__(self, dim: int = 4, depth: int = 2, lr: float = 1e-3):
        super().__init__()
        self.save_hyperparameters(ignore=["lr"])
        self.lr = lr
        self.blocks = nn.ModuleList(GatedUnit(dim) for _ in range(depth))
        self.criterion = nn.MSELoss()

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

    def training_step(self, batch, batch_idx):
        (clean,) = batch
        noisy = clean + 0.1 * torch.randn_like(clean)
        loss = self.criterion(self(noisy), clean)
        return {"loss": loss}

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.lr)


trainer = L.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Denoiser(), DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=4))
