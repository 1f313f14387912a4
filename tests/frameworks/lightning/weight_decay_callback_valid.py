"""A callback shrinks the weights in on_before_optimizer_step, when the backward of the step is over."""

from __future__ import annotations

import logging
import warnings
from dataclasses import dataclass

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore")


@dataclass
class DecayConfig:
    rate: float = 1e-3
    skip: tuple[str, ...] = ("bias", "norm")


class DecoupledDecay(L.Callback):
    """Weight decay apart from the optimizer, so that every optimizer gets the same one."""

    def __init__(self, config: DecayConfig) -> None:
        self.config = config

    def _decayed(self, module: nn.Module):
        for name, param in module.named_parameters():
            if not any(word in name for word in self.config.skip):
                yield param

    @torch.no_grad()
    def on_before_optimizer_step(self, trainer, pl_module, optimizer) -> None:
        for param in self._decayed(pl_module):
            param.mul_(1.0 - self.config.rate)


class Regressor(L.LightningModule):
    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.embed = nn.Linear(4, width)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(F.gelu(self.norm(self.embed(x)))).squeeze(-1)

    def training_step(self, batch, batch_idx):
        x, y = batch
        return F.mse_loss(self(x), y)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)


def main() -> None:
    L.seed_everything(1, verbose=False)
    data = TensorDataset(torch.randn(8, 4), torch.randn(8))
    trainer = L.Trainer(
        max_epochs=1,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        callbacks=[DecoupledDecay(DecayConfig())],
    )
    trainer.fit(Regressor(), DataLoader(data, batch_size=4))


if __name__ == "__main__":
    main()
