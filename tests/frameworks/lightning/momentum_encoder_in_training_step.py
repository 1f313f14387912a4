"""The momentum encoder runs with gradients and is blended in place before the loss that needs its weights is walked."""

import logging
import warnings

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore")


def mlp(inp: int, hidden: int, out: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inp, hidden), nn.BatchNorm1d(hidden), nn.ReLU(inplace=True), nn.Linear(hidden, out))


class Mean:
    """Blends the weights of `source` into those of `target`."""

    def __init__(self, decay: float) -> None:
        self.decay = decay

    @torch.no_grad()
    def __call__(self, target: nn.Module, source: nn.Module) -> None:
        for old, new in zip(target.parameters(), source.parameters()):
            old.lerp_(new, 1 - self.decay)  # error: IP101


class SelfDistiller(L.LightningModule):
    def __init__(self, dim: int = 6, decay: float = 0.99) -> None:
        super().__init__()
        self.online = mlp(dim, 8, 4)
        self.target = mlp(dim, 8, 4)
        self.target.load_state_dict(self.online.state_dict())
        self.blend = Mean(decay)

    def similarity(self, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        query = F.normalize(self.online(first), dim=-1)
        key = F.normalize(self.target(second), dim=-1)
        return (query * key).sum(dim=-1)

    def training_step(self, batch, batch_idx: int) -> torch.Tensor:
        (x,) = batch
        views = [x + 0.1 * torch.randn_like(x) for _ in range(2)]
        loss = 2 - 2 * self.similarity(*views).mean()
        self.blend(self.target, self.online)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.online.parameters(), lr=0.05, momentum=0.9)


if __name__ == "__main__":
    trainer = L.Trainer(
        max_epochs=1,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(SelfDistiller(), DataLoader(TensorDataset(torch.randn(8, 6)), batch_size=4))
