"""The metric helper overwrites the gathered probabilities only after the optimizer has stepped, when no graph is left."""

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
    max_grad_norm: float = 1.0


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
        probs[probs < self.threshold] = 0.0
        self.total += probs.count_nonzero().item()


def main(args: TrainArgs) -> None:
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    model = SoftLabelNet(5, 3)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    data = TensorDataset(torch.randn(16, 5), torch.rand(16, 3).softmax(-1))
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    meter = CoverageMeter(args.confidence)
    for inputs, soft_labels in loader:
        with accelerator.accumulate(model):
            probs = model(inputs)
            loss = (probs - soft_labels).square().sum(-1).mean()
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)
            optimizer.step()
            optimizer.zero_grad()
        meter.update(accelerator.gather_for_metrics(probs))


if __name__ == "__main__":
    torch.manual_seed(0)
    main(TrainArgs())
