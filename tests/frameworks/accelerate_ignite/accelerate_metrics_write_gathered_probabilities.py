"""On one process gather_for_metrics hands back the same tensor, so the metric helper overwrites what softmax saved."""

from dataclasses import dataclass

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class TrainArgs:
    lr: float = 1e-2
    batch_size: int = 4
    confidence: float = 0.3


class SoftLabelNet(nn.Module):
    def __init__(self, n_in: int, n_out: int) -> None:
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(n_in, 8), nn.SiLU())
        self.head = nn.Linear(8, n_out)

    def forward(self, x):
        return torch.softmax(self.head(self.backbone(x)), dim=-1)


class CoverageMeter:
    def __init__(self, threshold: float) -> None:
        self.threshold = threshold
        self.total = 0.0

    def update(self, probs: torch.Tensor) -> None:
        probs = probs.detach()
        probs[probs < self.threshold] = 0.0  # error: IP101
        self.total += probs.count_nonzero().item()


def build(args: TrainArgs):
    model = SoftLabelNet(5, 3)
    data = TensorDataset(torch.randn(8, 5), torch.rand(8, 3).softmax(-1))
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
    return model, torch.optim.AdamW(model.parameters(), lr=args.lr), loader


def main(args: TrainArgs) -> None:
    accelerator = Accelerator(cpu=True)
    model, optimizer, loader = accelerator.prepare(*build(args))
    meter = CoverageMeter(args.confidence)
    for inputs, soft_labels in loader:
        probs = model(inputs)
        loss = (probs - soft_labels).square().sum(-1).mean()
        meter.update(accelerator.gather_for_metrics(probs))
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    torch.manual_seed(0)
    main(TrainArgs())
